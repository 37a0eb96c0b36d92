process.env.UNDO_RUNS ??= '80';
await import('./persons-undo-model.slow.spec.js');
