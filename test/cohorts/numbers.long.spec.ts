process.env.COHORT_NUMBER_RUNS ??= '25';
await import('./numbers.slow.spec.js');
