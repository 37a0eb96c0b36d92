/**
 * Every so many-th item, the same in each run. `npm run test:long` takes all.
 * Lists of one spec file that differ in `shift` take different parts.
 */
export const sampleOf = <T>(items: readonly T[], parts: number, shift = 0): readonly T[] =>
  process.env.EVERY_CASE ? items : items.filter((_, n) => (n + shift) % parts === 0);

/** How often a property is tried. `npm run test:long` tries it as often as `whole` says. */
export const runsOf = (whole: number, parts: number): number =>
  process.env.EVERY_CASE ? whole : Math.ceil(whole / parts);
