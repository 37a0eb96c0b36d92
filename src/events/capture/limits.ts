const MEGABYTE = 1024 * 1024;

/** Of the body as received, and again of what it unpacks to. */
export const MAX_BATCH_BYTES = 20 * MEGABYTE;

/** Any body may unpack to this size. */
export const FREELY_UNPACKED_BYTES = MEGABYTE;

/**
 * How many times its size a body may otherwise unpack to. Batches of SDKs unpack to 10 to 40 times their size, and
 * thousands of copies of one event without uuid and time to some 225 times.
 */
export const MAX_UNPACKED_RATIO = 200;

/** Of a form field or base64, which are decoded in one go. SDKs that send large batches send JSON or gzip. */
export const MAX_TEXT_PACKED_BYTES = 2 * MEGABYTE;

/** Of one event's JSON, and of all that stands beside the events of a batch. */
export const MAX_EVENT_BYTES = MEGABYTE;

/**
 * Values of any kind in one event, and in all that stands beside the events of a batch. One object of so many keys takes
 * 20 to 30 ms to parse and as long to normalise.
 */
export const MAX_EVENT_NODES = 10_000;

export const MAX_EVENTS_PER_BATCH = 10_000;

/** Of what stands beside the events of a batch. */
export const MAX_BODY_DEPTH = 1_000;
