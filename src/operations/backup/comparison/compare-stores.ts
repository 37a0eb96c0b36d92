import { setTimeout as sleep } from 'node:timers/promises';
import { collectOutbox } from '../../../kernel/projection/outbox/outbox.js';
import { type ClickHouse, type QueryOptions } from '../../../platform/clickhouse/client.js';
import { type Sql } from '../../../platform/clickhouse/sql.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import {
  loggedEventFigures,
  projectedDays,
  projectedEvents,
  projectedGroups,
  projectedMembers,
  projectedPersons,
  projectedProjects,
  storedGroups,
  storedMembers,
  staticCohorts,
  storedPersons,
  type Days,
  type ComparedCohort,
} from './figures.sql.js';

interface Stores {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
}

/** The number of rows and the sum of their hashes. */
interface Figure {
  readonly count: number;
  readonly hash: bigint;
}

export interface Difference {
  readonly project: number;
  readonly kind: 'events' | 'persons' | 'groups' | 'static cohort';
  /** The day in UTC; null for a static cohort, whose members have no day in ClickHouse. */
  readonly day: string | null;
  readonly cohort: number | null;
  readonly postgres: number;
  readonly clickhouse: number;
  /** Where the numbers are equal, different hashes show that some row has other contents. */
  readonly postgresHash: string;
  readonly clickhouseHash: string;
}

export interface StoreComparison {
  readonly projects: number;
  readonly events: number;
  readonly persons: number;
  readonly groups: number;
  readonly staticMembers: number;
  readonly differences: readonly Difference[];
  /** Changes that ClickHouse did not receive in time. Their projects are not compared. */
  readonly waiting: readonly { readonly project: number; readonly changes: number }[];
}

export interface ComparisonOptions {
  /** Only this project. */
  readonly project?: number;
  /** How long to wait until ClickHouse has received the changes in the outbox. */
  readonly waitMs?: number;
  /** How often differing keys are read: while the service runs, a change may come between the reads of the two stores. */
  readonly attempts?: number;
  readonly pauseMs?: number;
}

const eventsPerSlice = 5_000_000;
const reading: QueryOptions = { project: 'system', timeoutMs: 600_000, maxRowsToRead: 0, maxResultRows: 200_000 };

/**
 * Compares the two stores by project and day. Days that differ are read again a few times, and are reported only if they differ
 * each time. Memory holds one figure for each day, and no rows.
 */
export const compareStores = async (stores: Stores, options: ComparisonOptions = {}): Promise<StoreComparison> => {
  const { waitMs = 60_000, project } = options;
  const receivedUpTo = stores.postgres.clock.now();
  const isNamed = (id: number): boolean => project === undefined || id === project;
  const waiting = (await untilShipped(stores.postgres, waitMs)).filter(({ project: id }) => isNamed(id));
  const late = new Set(waiting.map(({ project: id }) => id));
  const projects = (await projectsOf(stores)).filter((id) => isNamed(id) && !late.has(id));
  const totals = { events: 0, persons: 0, groups: 0, staticMembers: 0 };
  const differences: Difference[] = [];
  for (const id of projects) {
    const look = new ProjectLook(stores, id, receivedUpTo);
    const found = await look.differences(options);
    totals.events += look.totals.events;
    totals.persons += look.totals.persons;
    totals.groups += look.totals.groups;
    totals.staticMembers += look.totals['static cohort'];
    differences.push(...found);
  }
  return { projects: projects.length, ...totals, differences, waiting };
};

type Figures = ReadonlyMap<string, Figure>;
type Kind = Difference['kind'];

/** Reads the figures of both stores: of the given keys, which differed before, or of all keys if null. */
type Look = (keys: readonly string[] | null) => Promise<{ readonly postgres: Figures; readonly clickhouse: Figures }>;

class ProjectLook {
  readonly totals: Record<Kind, number> = { events: 0, persons: 0, groups: 0, 'static cohort': 0 };
  private readonly looks: Readonly<Record<Kind, Look>>;

  constructor(
    private readonly stores: Stores,
    private readonly projectId: number,
    private readonly receivedUpTo: Date,
  ) {
    this.looks = {
      events: (days) => this.events(days),
      persons: (days) => this.persons(days),
      groups: (days) => this.groups(days),
      'static cohort': () => this.members(),
    };
  }

  async differences({ attempts = 5, pauseMs = 2_000, waitMs = 60_000 }: ComparisonOptions): Promise<Difference[]> {
    const all: Difference[] = [];
    for (const kind of ['events', 'persons', 'groups', 'static cohort'] as const) {
      let found = await this.look(kind, null);
      for (let attempt = 2; found.length > 0 && attempt <= attempts; attempt += 1) {
        await sleep(pauseMs);
        await untilShipped(this.stores.postgres, waitMs);
        const keys = found.map(keyOf);
        found = (await this.look(kind, keys)).filter((difference) => keys.includes(keyOf(difference)));
      }
      all.push(...found);
    }
    return all;
  }

  private async look(kind: Kind, keys: readonly string[] | null): Promise<Difference[]> {
    const { postgres, clickhouse } = await this.looks[kind](keys);
    if (keys === null) for (const { count } of postgres.values()) this.totals[kind] += count;
    const named = keys ?? [...new Set([...postgres.keys(), ...clickhouse.keys()])].sort();
    return named.flatMap((key) => {
      const [stored, projected] = [postgres.get(key) ?? nothing, clickhouse.get(key) ?? nothing];
      if (stored.count === projected.count && stored.hash === projected.hash) return [];
      const isCohort = kind === 'static cohort';
      return {
        ...{ project: this.projectId, kind, day: isCohort ? null : key, cohort: isCohort ? Number(key) : null },
        ...{ postgres: stored.count, clickhouse: projected.count },
        ...{ postgresHash: hexOf(stored.hash), clickhouseHash: hexOf(projected.hash) },
      };
    });
  }

  private async events(days: readonly string[] | null) {
    const { projectId, receivedUpTo, stores } = this;
    const postgres = await this.stored(loggedEventFigures(projectId, receivedUpTo, days));
    const counted = await stores.clickhouse.query<{ day: string; count: number }>(
      projectedDays(projectId, receivedUpTo),
      reading,
    );
    const clickhouse = new Map<string, Figure>();
    const named = days === null ? counted : counted.filter(({ day }) => days.includes(day));
    for (const slice of slicesOf(named)) {
      for (const entry of await this.projected(projectedEvents(projectId, receivedUpTo, slice))) {
        clickhouse.set(...entry);
      }
    }
    return { postgres, clickhouse };
  }

  private async persons(days: readonly string[] | null) {
    const postgres = await this.stored(storedPersons(this.projectId, days));
    return { postgres, clickhouse: await this.projected(projectedPersons(this.projectId)) };
  }

  private async groups(days: readonly string[] | null) {
    const postgres = await this.stored(storedGroups(this.projectId, days));
    return { postgres, clickhouse: await this.projected(projectedGroups(this.projectId)) };
  }

  private async members() {
    const postgres = await this.stored(storedMembers(this.projectId));
    const { rows } = await this.stores.postgres.query<ComparedCohort>(staticCohorts(this.projectId));
    return { postgres, clickhouse: await this.projected(projectedMembers(this.projectId, rows)) };
  }

  /** Runs without the time limit of other statements, because a whole project may take longer. */
  private stored(statement: PgSql): Promise<Figures> {
    return this.stores.postgres.transaction(
      async (client) => {
        await client.query('SET LOCAL statement_timeout = 0');
        const { text, values } = statement;
        const { rows } = await client.query<StoredFigure>({ text, values, query_timeout: hoursMs } as { text: string });
        return new Map(rows.map((row) => [String(row.day ?? row.id), figureOf(row)]));
      },
      { snapshot: true },
    );
  }

  private async projected(statement: Sql): Promise<Map<string, Figure>> {
    const rows = await this.stores.clickhouse.query<StoredFigure>(statement, reading);
    return new Map(rows.map((row) => [String(row.day ?? row.id), figureOf(row)]));
  }
}

const hoursMs = 24 * 3_600_000;

interface StoredFigure {
  readonly day?: string;
  readonly id?: number;
  readonly count: number | string;
  readonly hash: string;
}

const nothing: Figure = { count: 0, hash: 0n };
const figureOf = ({ count, hash }: StoredFigure): Figure => ({
  count: Number(count),
  hash: BigInt.asUintN(64, BigInt(hash)),
});
const hexOf = (hash: bigint): string => hash.toString(16).padStart(16, '0');
const keyOf = ({ day, cohort }: Difference): string => day ?? String(cohort);

/** Groups neighbouring days, so that one statement reads about `eventsPerSlice` events. */
const slicesOf = (days: readonly { readonly day: string; readonly count: number }[]): Days[] => {
  const slices: { first: string; last: string; count: number }[] = [];
  for (const { day, count } of days) {
    const open = slices.at(-1);
    if (open && open.count + count <= eventsPerSlice) Object.assign(open, { last: day, count: open.count + count });
    else slices.push({ first: day, last: day, count });
  }
  return slices;
};

const projectsOf = async ({ postgres, clickhouse }: Stores): Promise<number[]> => {
  const { rows } = await postgres.query<{ id: number; deleted: boolean }>(
    'SELECT id, deleted_at IS NOT NULL AS deleted FROM projects',
  );
  const projected = await clickhouse.query<{ id: number }>(projectedProjects, reading);
  const deleted = new Set(rows.filter((row) => row.deleted).map(({ id }) => id));
  const ids = new Set([...rows, ...projected].map(({ id }) => id).filter((id) => !deleted.has(id)));
  return [...ids].sort((a, b) => a - b);
};

const pollMs = 100;

/** Waits for all changes that are in the outbox now, and returns what was not shipped in time. */
const untilShipped = async (postgres: Postgres, waitMs: number): Promise<StoreComparison['waiting']> => {
  await collectOutbox(postgres);
  const { rows } = await postgres.query<{ newest: string | null }>('SELECT max(id) AS newest FROM outbox');
  const newest = rows[0]?.newest ?? null;
  if (newest === null) return [];
  for (const end = Date.now() + waitMs; ; await sleep(pollMs)) {
    const { rows: left } = await postgres.query<{ project: number; changes: number; parked: boolean }>(pgSql`
      SELECT o.project_id AS project, sum(o.size)::integer AS changes,
        EXISTS (SELECT FROM shipments s WHERE s.project_id = o.project_id AND s.parked_at IS NOT NULL) AS parked
      FROM outbox o WHERE o.id <= ${bound(newest)} GROUP BY o.project_id ORDER BY o.project_id`);
    if (left.every(({ parked }) => parked) || Date.now() > end)
      return left.map(({ project, changes }) => ({ project, changes }));
  }
};
