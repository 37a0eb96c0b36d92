process.env.SHARD_BACK_MS ??= '5000';
await import('./shard-dies.spec.js');
