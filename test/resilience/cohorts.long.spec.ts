process.env.COHORT_KILLS ??= '50';
await import('./cohorts.spec.js');
