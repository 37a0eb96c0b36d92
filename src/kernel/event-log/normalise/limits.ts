export const maxDistinctIdCharacters = 200;
export const maxEventNameCharacters = 200;

/** Levels of objects and lists in one event; the event itself is the first. */
export const maxEventDepth = 100;
