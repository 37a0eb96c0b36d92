process.env.WALK_PERSONS = '100000';
await import('./persons-list.slow.spec.js');
