process.env.WALK_PERSONS = '100000';
await import('./persons-list.spec.js');
