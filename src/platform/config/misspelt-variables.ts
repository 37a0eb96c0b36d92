import { nearestName } from '../errors/nearest-name.js';

/** The names of other programs' variables differ from ours in whole words. */
const mostLetters = 3;

/**
 * One line for each variable that is probably a misspelling of one of ours. A variable that resembles none is another
 * program's, and so is one that resembles less than closely a variable that is set as well.
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

/** `DATADIR`: the underscores are missing, or are others. */
const sameLetters = (name: string, known: readonly string[]): string | null =>
  known.find((each) => letters(each) === letters(name)) ?? null;

/** `RATE_LIMIT`: the first words of a name of ours, of several the first in the documentation. One word alone, such as `NODE`, may be anyone's. */
const longer = (name: string, known: readonly string[]): string | null => {
  if (!name.includes('_')) return null;
  return known.find((each) => each.startsWith(`${name.toUpperCase()}_`)) ?? null;
};
