export const MAX_DISTINCT_ID_CHARACTERS = 200;
export const MAX_EVENT_NAME_CHARACTERS = 200;

/** Levels of objects and lists in one event; the event itself is the first. */
export const MAX_EVENT_DEPTH = 100;
