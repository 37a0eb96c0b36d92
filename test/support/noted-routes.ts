/** Routes that only read, and the import, which knows its events by their uuids. */
const unnoted =
  /\/(cohorts\/(preview|membership)|import|query|query\/explain|persons\/(funnel|funnel\/correlation|path))$/;

/** Whether a POST of the private API notes its commits under its `Idempotency-Key`, by the path of the route. */
export const notesCommits = (path: string): boolean => !unnoted.test(path);
