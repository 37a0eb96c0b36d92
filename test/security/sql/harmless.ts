/** Texts of the corpus that are plain questions after all, each with its whole answer. */
export const harmless: Readonly<Record<string, readonly (readonly unknown[])[]>> = {};
