import { type ClientBase } from 'pg';
import { existingProject, projectWithoutEventQuota } from '../../projects/projects.repository.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { topology } from '../../../platform/postgres/topology.js';

/** The keys of changed rows. The shipper reads the rows themselves when it ships, so it always ships the newest state. */
export type OutboxEntry =
  /** New events. `isArrival` is true if the same transaction has added them to the log. */
  | { readonly kind: 'events'; readonly refs: readonly string[]; readonly isArrival?: boolean }
  /**
   * Events that were removed from the log. If such an event is sent again later, it is a new event with the same uuid.
   */
  | { readonly kind: 'removed_events'; readonly refs: readonly string[] }
  /** Persons created, changed or deleted, by id. */
  | { readonly kind: 'persons'; readonly refs: readonly string[] }
  /** Distinct ids whose past events belong to another person than they were shipped with. */
  | { readonly kind: 'distinct_ids'; readonly refs: readonly string[] }
  /** Merged persons, persons that were merged into them before, and persons whose target was deleted. */
  | { readonly kind: 'redirects'; readonly refs: readonly string[] }
  /** Members added to or removed from static cohorts, as `cohort:person` or `cohort:group`. */
  | { readonly kind: 'static_cohorts'; readonly refs: readonly string[] }
  /** Groups created, changed or deleted, by their actors. */
  | { readonly kind: 'groups'; readonly refs: readonly string[] }
  /** Recorded members of calculated cohorts, as `cohort:version:chunk`. */
  | { readonly kind: 'calculated_cohorts'; readonly refs: readonly string[] };

export type OutboxKind = OutboxEntry['kind'];

export const outboxKinds = [
  'events',
  'removed_events',
  'persons',
  'distinct_ids',
  'redirects',
  'static_cohorts',
  'calculated_cohorts',
  'groups',
] as const satisfies readonly OutboxKind[];

/** A row is shipped as a whole, so it must stay small in proportion to a shipment. */
const maxRefs = 5000;

const insert = (project: PgSql, entries: string, now: Date): PgSql =>
  pgSql`
    INSERT INTO outbox (project_id, kind, refs, size, created_at)
    SELECT ${project}, entry.kind, entry.refs, jsonb_array_length(entry.refs), ${bound(now)}
    FROM jsonb_to_recordset(${bound(entries)}::jsonb) AS entry (kind text, refs jsonb)`;

const projects = { existing: existingProject, without_event_quota: projectWithoutEventQuota };

/** The projects whose changes are accepted. Changes of other projects make the whole transaction fail. */
export type TakenProjects = keyof typeof projects;

/**
 * Must run in the transaction of the change itself, so that no change can be lost. Every change of events and persons is queued
 * here, so this statement also refuses the changes of a deleted project.
 */
export const enqueue = async (
  client: ClientBase,
  projectId: number,
  entries: readonly OutboxEntry[],
  now: Date,
  taken: TakenProjects = 'existing',
): Promise<void> => {
  const slices = entries.flatMap((entry) => {
    const isArrival = entry.kind === 'events' && entry.isArrival === true;
    return slicesOf(entry.refs).map((refs) => ({ kind: entry.kind, refs, isArrival }));
  });
  if (slices.length === 0) return;
  const { nodeOutbox } = topology();
  const values = [projects[taken](projectId), JSON.stringify(slices), now] as const;
  const [statement, name] = nodeOutbox
    ? [nodeOutbox.insert(...values), 'node-outbox-insert']
    : [insert(...values), 'outbox-insert'];
  await client.query(statement.named(taken === 'existing' ? name : `${name}-without-quota`));
};

const slicesOf = (refs: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(refs.length / maxRefs) }, (_, at) => refs.slice(at * maxRefs, (at + 1) * maxRefs));

/**
 * Brings changes that wait on the nodes of Citus to the outbox. Call it before the outbox is read, which otherwise may lack
 * what was committed before.
 */
export const collectOutbox = async (postgres: Postgres): Promise<void> => {
  await topology().nodeOutbox?.collect(postgres);
};
