/** `sample-turn.mjs` sets it. */
export const sampleTurn = Number(process.env.SAMPLE_TURN ?? 0);

/**
 * Every so many-th item, others in each turn, so that `parts` turns take all of them. `npm run test:long` takes all at once.
 * Lists of one spec file that differ in `shift` take different parts.
 */
export const sampleOf = <T>(items: readonly T[], parts: number, shift = 0): readonly T[] =>
  process.env.EVERY_CASE ? items : items.filter((_, n) => (n + sampleTurn + shift) % parts === 0);

/** How often a property is tried, each time with values drawn anew. `npm run test:long` tries it as often as `whole` says. */
export const runsOf = (whole: number, parts: number): number =>
  process.env.EVERY_CASE ? whole : Math.ceil(whole / parts);
