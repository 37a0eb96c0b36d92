import { Counter, type Registry } from 'prom-client';
import { type ProjectTally } from './tally.js';

/** Further projects of a process are counted together, so that the number of series is bounded. */
const namedProjects = 100;

/**
 * Reads the counts when metrics are collected, so that capture does not pay for them. The first projects that send events have
 * series of their own, and keep them until the process ends, but only where metrics have a port of their own: beside the API
 * everyone can read them. Reasons are codes of the service, never text of a client.
 */
export const registerIngestionMetrics = (
  registry: Registry,
  projects: ReadonlyMap<number, ProjectTally>,
  hasOwnPort: boolean,
): void => {
  const counter: Counter<'project' | 'outcome' | 'reason'> = new Counter({
    name: 'kohort_captured_events_total',
    help:
      'Events that clients sent to this process, by outcome. ' +
      (hasOwnPort
        ? `Projects after the first ${namedProjects} are "other"`
        : 'With METRICS_PORT they are counted by project'),
    labelNames: ['project', 'outcome', 'reason'] as const,
    registers: [registry],
    collect: () => {
      counter.reset();
      let rank = 0;
      for (const [projectId, { tallies }] of projects) {
        rank += 1;
        const project = !hasOwnPort ? 'all' : rank > namedProjects ? 'other' : String(projectId);
        for (const { outcome, reason, events } of tallies.values()) counter.inc({ project, outcome, reason }, events);
      }
    },
  });
};
