process.env.BACKUP_KILLS ??= '20';
await import('./backup.spec.js');
