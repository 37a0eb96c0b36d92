import { Counter, type Registry } from 'prom-client';
import { type Library, ProjectTally, type StoredCounts, storeCounts } from './ingestion-counts.repository.js';
import { Injectable } from '@nestjs/common';
import { Workers } from '../../platform/work/workers.js';
import { problemOfPostgresError } from '../../platform/errors/store-errors.js';
import { Problem } from '../../platform/errors/problem.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type EventRejection } from '../../kernel/event-log/normalise/normalise.js';
import { type Verdict } from '../../kernel/event-log/group-commit.js';

/** This many projects have their own series in the metrics of a process; all others are counted together. */
const namedProjects = 100;

/**
 * Reads the counts when metrics are collected, so that capture is not slowed down. The first projects that send events have their
 * own series until the process ends, but only if metrics have a port of their own: on the port of the API, everyone can read
 * them. Reasons are codes of the service, never text of a client.
 */
const registerIngestionMetrics = (
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

const storeEveryMs = 5000;

interface Taken {
  readonly verdict: Verdict;
  readonly rejected: readonly EventRejection[];
  readonly library: Library | null;
}

/**
 * Counts the outcomes of the events of each project. A request adds to numbers in memory; the sums are stored in the background
 * and when the service stops. A killed process loses the counts of its last seconds, but no events.
 */
@Injectable()
export class IngestionCounts {
  private readonly projects = new Map<number, ProjectTally>();
  private readonly changed = new Set<number>();
  private storing: Promise<void> = Promise.resolve();

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    metrics: Metrics,
  ) {
    const store = () => this.store();
    workers.every(storeEveryMs, {
      name: 'ingestion counts',
      warning: 'the counts of captured events could not be stored and are kept in memory',
      run: store,
      end: store,
      isEverywhere: true,
    });
    registerIngestionMetrics(metrics.registry, this.projects, config.metricsPort !== null);
  }

  took(projectId: number, { verdict, rejected, library }: Taken, now: Date): void {
    const at = now.getTime();
    const project = this.of(projectId);
    project.add('accepted', '', verdict.accepted, at);
    project.add('duplicate', '', verdict.duplicates, at);
    for (const { code } of rejected) project.add('rejected', code, 1, at);
    if (library) project.saw(library, at);
  }

  /** Counts the events of a request that was refused as a whole. */
  refused(projectId: number, events: number, error: unknown, now: Date): void {
    const problem = error instanceof Problem ? error : error instanceof Error ? problemOfPostgresError(error) : null;
    this.of(projectId).add('rejected', problem?.code ?? 'error', events, now.getTime());
  }

  /** Stores the counts. After a failure they stay in memory, to be stored later. */
  store(): Promise<void> {
    this.storing = this.storing.catch(() => undefined).then(() => this.write());
    return this.storing;
  }

  private of(projectId: number): ProjectTally {
    this.changed.add(projectId);
    const known = this.projects.get(projectId);
    if (known) return known;
    const project = new ProjectTally();
    this.projects.set(projectId, project);
    return project;
  }

  private async write(): Promise<void> {
    if (this.changed.size === 0) return;
    const projectIds = [...this.changed].sort((a, b) => a - b);
    this.changed.clear();
    const counts: StoredCounts = { events: [], libraries: [] };
    const written: (() => void)[] = [];
    for (const projectId of projectIds) {
      const project = this.of(projectId);
      for (const tally of project.tallies.values()) {
        const { outcome, reason, events, stored, lastAt } = tally;
        if (events === stored) continue;
        counts.events.push({ projectId, outcome, reason, events: events - stored, at: new Date(lastAt) });
        written.push(() => (tally.stored = events));
      }
      for (const { name, version, at } of project.takeLibraries())
        counts.libraries.push({ projectId, name, version, at: new Date(at) });
    }
    this.changed.clear();
    try {
      await storeCounts(this.postgres, counts);
    } catch (error) {
      for (const { projectId, name, version, at } of counts.libraries)
        this.of(projectId).saw({ name, version }, at.getTime());
      for (const projectId of projectIds) this.changed.add(projectId);
      throw error;
    }
    for (const note of written) note();
  }
}
