const megabyte = 1024 * 1024;

/** Limits the body as received, and again its unpacked form. */
export const maxBatchBytes = 20 * megabyte;

/** Any body may unpack to this size, whatever the ratio. */
export const freelyUnpackedBytes = megabyte;

/**
 * Limits how many times its own size a body may unpack to. Batches of SDKs unpack to 10 to 40 times their size, and
 * thousands of copies of one event without uuid and time to about 225 times.
 */
export const maxUnpackedRatio = 200;

/** Limits a form field or base64 text, which is decoded in one go. SDKs that send large batches send JSON or gzip. */
export const maxTextPackedBytes = 2 * megabyte;

/** Limits the JSON of one event, and everything in a batch that is not an event. */
export const maxEventBytes = megabyte;

/**
 * Limits the values of any kind in one event, and in everything in a batch that is not an event. One object with this many keys
 * takes 20 to 30 ms to parse and as long to normalise.
 */
export const maxEventNodes = 10_000;

export const maxEventsPerBatch = 10_000;

/** Limits the nesting of everything in a batch that is not an event. */
export const maxBodyDepth = 1_000;

export const maxDistinctIdCharacters = 200;
export const maxEventNameCharacters = 200;

/** Levels of objects and lists in one event; the event itself is the first. */
export const maxEventDepth = 100;
