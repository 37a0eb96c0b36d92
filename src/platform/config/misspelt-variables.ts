import { nearestName } from '../errors/nearest-name.js';

/** The most letters by which a misspelling differs. Variables of other programs differ from ours in whole words. */
const mostLetters = 3;

/**
 * One line for each variable that is probably a misspelling of one of ours. If ours is set as well, only a very close name
 * counts: the other variable probably belongs to another program.
 */
export const misspeltVariables = (names: readonly string[], known: readonly string[]): string[] => {
  const unset = known.filter((name) => !names.includes(name));
  return names.flatMap((name) => {
    const meant = known.includes(name)
      ? null
      : (sameLetters(name, known) ??
        nearest(name, known, 1) ??
        nearest(name, unset, mostLetters) ??
        longer(name, unset));
    return meant === null ? [] : [`${name} is not a variable of Kohort: did you mean ${meant}?`];
  });
};

const nearest = (name: string, known: readonly string[], most: number): string | null => {
  const lower = known.map((each) => each.toLowerCase());
  return nearestName(name, lower, most)?.toUpperCase() ?? null;
};

const letters = (name: string): string => name.replaceAll('_', '').toUpperCase();

/** The variable with the same letters, where only underscores differ, as in `DATADIR`. */
const sameLetters = (name: string, known: readonly string[]): string | null =>
  known.find((each) => letters(each) === letters(name)) ?? null;

/** The first of our variables that begins with the words of `name`, as in `RATE_LIMIT`. One word, as in `NODE`, is too little. */
const longer = (name: string, known: readonly string[]): string | null => {
  if (!name.includes('_')) return null;
  return known.find((each) => each.startsWith(`${name.toUpperCase()}_`)) ?? null;
};
