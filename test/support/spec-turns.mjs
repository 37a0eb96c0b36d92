import { readFileSync } from 'node:fs';
import './sample-turn.mjs';

/** A prime that divides the number of parts of no sample (`sampleOf`), so that each file meets each of its samples. */
export const turns = 17;

/** A file that takes less runs in every turn. */
export const briefSeconds = 2;

/** What concerns every route, answer or person, and the files with most assertions for their time. */
const always = [
  'src/events/capture/decode.property.spec.ts',
  'src/demo/seed-events.spec.ts',
  'src/persons/identity/decide.property.spec.ts',
  'test/conformance/conformance.spec.ts',
  'test/e2e/access.spec.ts',
  'test/insights/previous-range.spec.ts',
  'test/openapi/written-schemas.spec.ts',
  'test/support/insights/insights-support.spec.ts',
];

/** How long the other files took when `npm run spec-seconds` ran on a quiet machine. A new file has no entry, and always runs. */
const seconds = JSON.parse(readFileSync(new URL('spec-seconds.json', import.meta.url), 'utf8'));

/** The turn of each file that does not run in all: the longest first, each to the turn that has least so far. */
export const turnsOfFiles = (secondsOfFiles = seconds, count = turns) => {
  const sums = Array.from({ length: count }, () => 0);
  const longestFirst = Object.entries(secondsOfFiles)
    .filter(([file]) => !always.includes(file))
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return new Map(
    longestFirst.map(([file, duration]) => {
      const turn = sums.indexOf(Math.min(...sums));
      sums[turn] += duration;
      return [file, turn];
    }),
  );
};

/** `npm test` runs the files of one turn, unless it is given names of files, groups or tests. */
export const takesTurns =
  process.env.TAKE_TURNS === '1' && process.argv.slice(2).every((argument) => argument.startsWith('-'));

export const turn = Number(process.env.SAMPLE_TURN) % turns;

/** Those of the spec files that run in this turn. */
export const filesOfTurn = (files) => {
  const turnOf = turnsOfFiles();
  return files.filter((file) => (turnOf.get(file) ?? turn) === turn);
};
