import { nearestName } from './http/nearest-name.js';

/** The names of other programs' variables differ from ours in whole words. */
const mostLetters = 3;

/**
 * One line for each variable that is probably a misspelling of one of ours. A variable that resembles none is another
 * program's, and so is one that resembles a variable that is set as well.
 */
export const misspeltVariables = (names: readonly string[], known: readonly string[]): string[] => {
  const unset = known.filter((name) => !names.includes(name));
  const candidates = unset.map((name) => name.toLowerCase());
  return names.flatMap((name) => {
    const nearest = known.includes(name) ? null : nearestName(name, candidates, mostLetters);
    return nearest === null ? [] : [`${name} is not a variable of Kohort: did you mean ${nearest.toUpperCase()}?`];
  });
};
