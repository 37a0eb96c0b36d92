/** The header of every route that honours it, described once in the API document. */
export const idempotencyKeyHeader = 'Idempotency-Key';

export const idempotencyKeyParameter = {
  name: idempotencyKeyHeader,
  in: 'header' as const,
  required: false,
  description:
    'A request that is sent again with the same key within 24 h gets the stored answer, with `Idempotent-Replayed: true`, ' +
    'and does not run again. The same key with another request is a 409; so is a request that still runs, with `Retry-After`. ' +
    'A failed request frees its key. Keys belong to a user, a project and a route.',
  schema: { type: 'string', minLength: 1, maxLength: 255, example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' },
};

export const idempotencyConflict =
  'The `Idempotency-Key` belongs to another request, or its request still runs (`Retry-After`).';
