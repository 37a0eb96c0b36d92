const MEGABYTE = 1024 * 1024;

/** Limits the body as received, and again its unpacked form. */
export const MAX_BATCH_BYTES = 20 * MEGABYTE;

/** Any body may unpack to this size, whatever the ratio. */
export const FREELY_UNPACKED_BYTES = MEGABYTE;

/**
 * Limits how many times its own size a body may unpack to. Batches of SDKs unpack to 10 to 40 times their size, and
 * thousands of copies of one event without uuid and time to about 225 times.
 */
export const MAX_UNPACKED_RATIO = 200;

/** Limits a form field or base64 text, which is decoded in one go. SDKs that send large batches send JSON or gzip. */
export const MAX_TEXT_PACKED_BYTES = 2 * MEGABYTE;

/** Limits the JSON of one event, and everything beside the events of a batch. */
export const MAX_EVENT_BYTES = MEGABYTE;

/**
 * Limits the values of any kind in one event, and in everything beside the events of a batch. One object with this many
 * keys takes 20 to 30 ms to parse and as long to normalise.
 */
export const MAX_EVENT_NODES = 10_000;

export const MAX_EVENTS_PER_BATCH = 10_000;

/** Limits the nesting of everything beside the events of a batch. */
export const MAX_BODY_DEPTH = 1_000;
