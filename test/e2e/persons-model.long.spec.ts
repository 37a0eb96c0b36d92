process.env.STEPS ??= '10000';
await import('./persons-model.slow.spec.js');
