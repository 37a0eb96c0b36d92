/** The header of every route that honours it, described once in the API document. */
export const idempotencyKeyHeader = 'Idempotency-Key';

export const idempotencyKeyParameter = {
  name: idempotencyKeyHeader,
  in: 'header' as const,
  required: false,
  description:
    'A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, ' +
    'and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. ' +
    'A failed request frees its key. When a connection or a process broke after the change and before the answer, the same ' +
    'request gets a 409 without `Retry-After`, whose `detail` says that it was done: read what it has changed. ' +
    'Keys belong to a user, a project and a route.',
  // No example: the Swagger page would send the same key with each request.
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const idempotencyConflict =
  'The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`), or was done although its answer was lost.';
