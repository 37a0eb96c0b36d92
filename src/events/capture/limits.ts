const MEGABYTE = 1024 * 1024;

/** Of the body as received, and again of what it unpacks to. */
export const MAX_BATCH_BYTES = 20 * MEGABYTE;

/** Of one event's JSON. */
export const MAX_EVENT_BYTES = MEGABYTE;

export const MAX_EVENTS_PER_BATCH = 10_000;

/** JSON.parse takes seconds over megabytes of opening brackets, so such a body is refused before it is parsed. */
export const MAX_BODY_DEPTH = 1_000;
