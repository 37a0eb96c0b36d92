import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { groupChecks, insightChecks } from '../support/insights/checks.js';

const run = promisify(execFile);
const streams = Number(process.env.STREAMS ?? 2000);
/** Each in a process of its own, as one alone leaves half of the machine idle. */
const lanes = 2;

interface Outcome {
  readonly streams: number;
  readonly seen: number;
}

const check = async (insight: string, count: number): Promise<Outcome> => {
  const program = ['dist-bench/test/streams/main.js', insight, String(count)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await run(process.execPath, program, { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Outcome;
};

beforeAll(() => run('npm', ['run', 'compile', '--', '-p', 'tsconfig.streams.json']));

describe('very many random streams', () => {
  it.each([...Object.keys(insightChecks), ...Object.keys(groupChecks).map((name) => `groups:${name}`)])(
    'give the %s of the naive reading, and those behind it; of persons before and after merges and splits',
    async (insight) => {
      const each = Math.ceil(streams / lanes);
      const outcomes = await Promise.all(Array.from({ length: lanes }, () => check(insight, each)));
      expect(outcomes.reduce((sum, outcome) => sum + outcome.streams, 0)).toBeGreaterThanOrEqual(streams);
      // Streams in which nobody does anything would agree with anything.
      expect(outcomes.reduce((sum, { seen }) => sum + seen, 0)).toBeGreaterThan(streams);
    },
    7_200_000,
  );
});
