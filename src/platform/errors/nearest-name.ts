import { invalidInput, type Problem } from './problem.js';

const longestCompared = 60;
const longestQuoted = 100;

/** The problem for a name that is not known. It suggests the name that was probably meant, or lists the known ones. */
export const unknownName = (name: string, known: readonly string[], path: readonly string[] = []): Problem => {
  const quoted = name.slice(0, longestQuoted);
  const nearest = nearestName(name, known) ?? onlyWith(name, known);
  const hint = nearest === null ? knownNames(known) : `did you mean ${nearest}?`;
  return invalidInput(`${quoted} is not known: ${hint}`, [...path, quoted].join('.'));
};

/** The known name that has two words, one of them `name`: `scoped_projects` for `projects`. Null if there are several. */
const onlyWith = (name: string, known: readonly string[]): string | null => {
  const [only, ...more] = known.filter((candidate) => {
    const words = candidate.split('_');
    return words.length === 2 && words.includes(name);
  });
  return only !== undefined && more.length === 0 ? only : null;
};

const knownNames = (known: readonly string[]): string =>
  known.length === 0 ? 'there are no parameters here' : `known are ${known.join(', ')}`;

/** The known name of which `name` may be a misspelling; null when none is near. `most` limits the differing letters. */
export const nearestName = (name: string, known: readonly string[], most = Infinity): string | null => {
  if (name.length > longestCompared) return null;
  const lower = name.toLowerCase();
  const mostOf = (candidate: string) => Math.min(most, Math.max(1, Math.floor(candidate.length / 3)));
  const distances = known
    // A name whose length differs by more cannot be near. Without this filter, the comparison took 0.4 s of a start.
    .filter((candidate) => Math.abs(candidate.length - lower.length) <= mostOf(candidate))
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= mostOf(nearest.candidate) ? nearest.candidate : null;
};

/**
 * The number of letters to insert, remove or replace, and of neighbours to swap. Three rows of numbers are reused for all
 * letters: allocating new ones took most of the time, during which the event loop is blocked.
 */
const editDistance = (from: string, to: string): number => {
  const letters = Uint16Array.from({ length: to.length }, (_, at) => to.charCodeAt(at));
  let [rowBefore, row, next] = [
    new Uint32Array(to.length + 1),
    new Uint32Array(to.length + 1),
    new Uint32Array(to.length + 1),
  ];
  for (let other = 0; other <= to.length; other += 1) row[other] = other;
  let before = -1;
  for (let at = 1; at <= from.length; at += 1) {
    const letter = from.charCodeAt(at - 1);
    next[0] = at;
    for (let other = 1; other <= to.length; other += 1) {
      const isSame = letter === letters[other - 1];
      let least = (row[other - 1] ?? 0) + (isSame ? 0 : 1);
      least = Math.min(least, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1);
      if (other > 1 && letter === letters[other - 2] && before === letters[other - 1])
        least = Math.min(least, (rowBefore[other - 2] ?? 0) + 1);
      next[other] = least;
    }
    before = letter;
    [rowBefore, row, next] = [row, next, rowBefore];
  }
  return row[to.length] ?? 0;
};
