process.env.COHORT_NUMBER_RUNS ??= '25';
await import('./numbers.spec.js');
