import { type Named } from './holds.js';
import { growthLimitMiB } from './memory.js';
import { type FuzzReport } from './run.js';
import { causesOf } from './tally.js';

const again = ({ index, name }: Named): string => `${name} (--only ${index})`;

/** Why a run has failed; empty where everything was as it should be. */
export const complaintsAbout = ({ death, failures, culprits, pauses, memory }: FuzzReport): string[] => [
  ...(death ? [death] : []),
  ...failures.map(
    ({ operation, cause, count, example: { index, method, path, answer, log = '' } }) =>
      `${operation}: ${cause} (${count} times, --only ${index})\n${method} ${path}\n${answer}\n${log}`,
  ),
  ...culprits.map((culprit) => `event loop held for ${Math.round(culprit.cpu_ms)} ms by ${again(culprit)}`),
  ...pauses.map(
    ({ cpu_ms, under_way }) =>
      `event loop held for ${Math.round(cpu_ms)} ms by a collection of garbage during ${under_way.slice(0, 5).map(again).join('; ')}`,
  ),
  ...(memory.startMiB !== null && memory.endMiB > memory.startMiB + growthLimitMiB
    ? [`memory grew from ${memory.startMiB} to ${memory.endMiB} MiB`]
    : []),
];

const shownHolds = 20;
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** One JSON line for each figure. */
export const linesOf = (report: FuzzReport): string[] => {
  const { stores, seed, requests, seconds, perSecond, failures, holds, culprits, pauses, death } = report;
  const counted = failures.reduce((sum, { count }) => sum + count, 0);
  const longest = Math.round(holds[0]?.cpu_ms ?? 0);
  return [
    ...Object.entries(report.byOperation).map(([operation, times]) => ({ operation, ...times })),
    ...failures.map((failure) => ({ failure })),
    ...causesOf(failures),
    ...holds.slice(0, shownHolds).map((hold) => ({ hold })),
    ...culprits.map((culprit) => ({ culprit })),
    {
      run: { stores, seed, requests, seconds, per_second: perSecond },
      main_thread_ms_per_request: rounded(report.mainThreadMs),
      own_ms_per_request: rounded(report.ownMs),
    },
    { statuses: report.byStatus },
    { memory: report.memory },
    {
      verdict: complaintsAbout(report).length === 0 ? 'passed' : 'failed',
      death,
      failures: counted,
      kinds_of_failures: failures.length,
      long_turns: { count: holds.length, longest_ms: longest, culprits: culprits.length, pauses: pauses.length },
    },
  ].map((line) => JSON.stringify(line));
};
