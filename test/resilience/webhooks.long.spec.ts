process.env.WEBHOOK_KILLS ??= '50';
await import('./webhooks.spec.js');
