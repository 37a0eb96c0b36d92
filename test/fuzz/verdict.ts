import { growthLimitMiB } from './memory.js';
import { type FuzzReport } from './run.js';

/** Why a run has failed; empty where everything was as it should be. */
export const complaintsAbout = ({ death, failures, holds, memory }: FuzzReport): string[] => [
  ...(death ? [death] : []),
  ...failures.map(
    ({ operation, cause, count, example }) => `${operation}: ${cause} (${count}×, --only ${example.index})`,
  ),
  ...holds.map(
    ({ cpu_ms, garbage, under_way }) =>
      `event loop held for ${Math.round(cpu_ms)} ms${garbage ? ' by garbage collection' : ''} during ${under_way
        .slice(0, 5)
        .map(({ index, name }) => `${index} ${name}`)
        .join('; ')}`,
  ),
  ...(memory.startMiB !== null && memory.endMiB > memory.startMiB + growthLimitMiB
    ? [`memory grew from ${memory.startMiB} to ${memory.endMiB} MiB`]
    : []),
];

/** One JSON line for each figure. */
export const linesOf = (report: FuzzReport): string[] => {
  const { seed, requests, seconds, perSecond, byStatus, byOperation, failures, holds, memory, death } = report;
  return [
    ...Object.entries(byOperation).map(([operation, times]) => ({ operation, ...times })),
    ...failures.map((failure) => ({ failure })),
    ...holds.slice(0, 20).map((hold) => ({ hold })),
    { run: { seed, requests, seconds, per_second: perSecond } },
    { statuses: byStatus },
    { memory },
    {
      verdict: {
        passed: complaintsAbout(report).length === 0,
        death,
        failures: failures.reduce((sum, { count }) => sum + count, 0),
        kinds_of_failures: failures.length,
        long_holds: holds.length,
        longest_hold_ms: Math.round(holds[0]?.cpu_ms ?? 0),
      },
    },
  ].map((line) => JSON.stringify(line));
};
