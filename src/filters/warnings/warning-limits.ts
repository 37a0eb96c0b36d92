/** The names that a process remembers as arrived, so that a question is checked only for names that are new to it. */
export const maxRemembered = 50_000;
/** The most frequent names, among which the intended one is looked for: a comparison of two names costs their lengths. */
export const maxCompared = 200;
/** So many of the warnings say what was probably meant, which holds the event loop. */
export const maxHints = 3;
/** The letters of a name that a warning repeats. */
export const maxQuoted = 100;
