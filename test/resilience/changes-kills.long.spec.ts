process.env.CHANGE_KILLS ??= '100';
await import('./changes-kills.spec.js');
