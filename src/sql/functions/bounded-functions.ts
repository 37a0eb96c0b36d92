/** The reason why one call of a function may take long, and how its steps are counted. */
export type Growth = 'pairs' | 'squares' | 'folds' | 'patterns' | 'elements' | 'calls' | 'repeats';

interface Bound {
  readonly growth: Growth;
  /** For each function, the positions of the arguments whose sizes count, from 0. */
  readonly of: Readonly<Record<string, readonly number[]>>;
}

/**
 * The engine checks its time limits between two blocks of rows, and not inside of a call. So the steps of a call are counted
 * before it begins, for all rows of its block together, and a call with too many is refused.
 */
const bounds: readonly Bound[] = [
  // Each element or character of one value is compared with each of the other.
  {
    growth: 'pairs',
    of: {
      arrayLevenshteinDistance: [0, 1],
      arrayLevenshteinDistanceWeighted: [0, 1],
      arraySimilarity: [0, 1],
      damerauLevenshteinDistance: [0, 1],
      editDistance: [0, 1],
      editDistanceUTF8: [0, 1],
      hasSubstr: [0, 1],
      jaroSimilarity: [0, 1],
      jaroWinklerSimilarity: [0, 1],
      levenshteinDistance: [0, 1],
      levenshteinDistanceUTF8: [0, 1],
    },
  },
  // The value is read again from each of its elements or characters to its end.
  {
    growth: 'squares',
    of: {
      arrayAutocorrelation: [0],
      countMatches: [0],
      countMatchesCaseInsensitive: [0],
      extractAll: [0],
      extractAllGroups: [0],
      extractAllGroupsHorizontal: [0],
      extractAllGroupsVertical: [0],
      REGEXP_REPLACE: [0],
      replaceRegexpAll: [0],
      splitByRegexp: [1],
    },
  },
  // The result of each step, which may be as long as the list, is the argument of the next one.
  { growth: 'folds', of: { arrayFold: [1] } },
  // Each row can have another pattern, which must be compiled.
  {
    growth: 'patterns',
    of: {
      ilike: [1],
      like: [1],
      match: [1],
      notILike: [1],
      notLike: [1],
      REGEXP_MATCHES: [1],
      REGEXP_REPLACE: [1],
      replaceRegexpAll: [1],
      replaceRegexpOne: [1],
    },
  },
  // The call makes as many elements as a number says.
  { growth: 'elements', of: { range: [0, 1, 2] } },
];

export interface BoundedFunction {
  readonly growth: Growth;
  readonly of: readonly number[];
}

const byName = new Map<string, BoundedFunction[]>();
for (const { growth, of } of bounds)
  for (const [name, positions] of Object.entries(of))
    byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), { growth, of: positions }]);

export const boundsOf = (name: string): readonly BoundedFunction[] => byName.get(name.toLowerCase()) ?? [];

/** Functions that make a large value of small ones. */
export const growing: ReadonlySet<string> = new Set(
  [
    ...['arrayResize', 'arrayShingles', 'arrayWithConstant', 'geohashesInBox', 'leftPad', 'leftPadUTF8', 'lpad'],
    ...['mapPopulateSeries', 'randomFixedString', 'randomPrintableASCII', 'randomString', 'randomStringUTF8', 'range'],
    ...['repeat', 'replicate', 'rightPad', 'rightPadUTF8', 'rpad', 'space', 'sparseGrams', 'sparseGramsUTF8'],
    ...['timeSlots', 'toFixedString'],
  ].map((name) => name.toLowerCase()),
);

/** The limit on the steps of a function, summed over all rows of one block. */
export const mostSteps: Readonly<Record<Growth, number>> = {
  pairs: 1_000_000_000,
  squares: 10_000_000_000,
  folds: 10_000_000_000,
  patterns: 10_000_000,
  elements: 1_000_000,
  calls: 50_000_000,
  repeats: 5_000_000_000,
};

const most = (growth: Growth): string => mostSteps[growth].toLocaleString('en');

/** Messages that tell a caller why a call was refused; the name of the function comes before them. */
export const stepRefusals: Readonly<Record<Growth, string>> = {
  pairs: `compares each element or character of one value with each of the other, at most ${most('pairs')} pairs for the rows that are computed together: shorten the values, or read fewer rows`,
  squares: `may take as many steps as the square of the length of its value, at most ${most('squares')} for the rows that are computed together: shorten the value, or read fewer rows`,
  folds: `may take as many steps as the square of the length of its list, at most ${most('folds')} for the rows that are computed together: shorten the list, or read fewer rows`,
  patterns: `compiles a pattern for each row: write the pattern as a text, or read fewer rows`,
  elements: `makes a list of at most ${most('elements')} elements`,
  calls: `calls its function for at most ${most('calls')} elements of the rows that are computed together: shorten the lists, or read fewer rows`,
  repeats: `reads a value that is the same in all rows again for each row, at most ${most('repeats')} bytes for the rows that are computed together: shorten the value, or read fewer rows`,
};

export const boundedNames: readonly string[] = [...new Set(bounds.flatMap(({ of }) => Object.keys(of)))];
