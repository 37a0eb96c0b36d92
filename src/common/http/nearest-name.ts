import { invalidInput, type Problem } from '../errors/problem.js';

const longestCompared = 60;
const longestQuoted = 100;

/** The problem that a name is not among the known ones, with the name that was probably meant. */
export const unknownName = (name: string, known: readonly string[], path: readonly string[] = []): Problem => {
  const quoted = name.slice(0, longestQuoted);
  const nearest = nearestName(name, known) ?? onlyWith(name, known);
  const hint = nearest === null ? knownNames(known) : `did you mean ${nearest}?`;
  return invalidInput(`${quoted} is not known: ${hint}`, [...path, quoted].join('.'));
};

/** The only known name of two words of which `name` is one, such as `scoped_projects` for `projects`. */
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
  const distances = known.map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate) }));
  const [nearest] = distances.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.min(most, Math.max(1, Math.floor(nearest.candidate.length / 3)))
    ? nearest.candidate
    : null;
};

/** The number of letters to insert, remove or replace, and of neighbours to swap. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  let rowBefore = row;
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= to.length; other += 1) {
      const replaced = (row[other - 1] ?? 0) + (from[at - 1] === to[other - 1] ? 0 : 1);
      const areSwapped = at > 1 && other > 1 && from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      const swapped = areSwapped ? (rowBefore[other - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1, replaced, swapped));
    }
    [rowBefore, row] = [row, next];
  }
  return row[to.length] ?? 0;
};

/** As `nearestName` among many names of any length: those of another length are left out before letters are compared. */
export const nearestOfMany = (name: string, known: readonly string[]): string | null =>
  nearestName(
    name,
    known.filter((other) => Math.abs(other.length - name.length) <= Math.max(1, Math.floor(other.length / 3))),
  );
