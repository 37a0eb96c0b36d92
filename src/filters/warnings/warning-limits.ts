/** The names that a process remembers as arrived, so that a question is checked only for names that are new to it. */
export const maxRemembered = 50_000;
/** The number of the most frequent names with which an unknown name is compared; a comparison costs the lengths of both names. */
export const maxCompared = 200;
/** The most warnings that suggest what was probably meant, because the search for it blocks the event loop. */
export const maxHints = 3;
/** The most letters of a name that a warning repeats. */
export const maxQuoted = 100;
