import { type Sql, ofShard, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { createHash } from 'node:crypto';

interface ActorOptions {
  /** False when `Projection.hasOverrides` returned false: events are then read without their overrides. */
  overridden?: boolean;
}

/**
 * The text after FROM that reads a project's events as `e` with `resolvedActor`. Columns of `e` are read straight from the
 * table, so `propertyText(e.properties, …)` reads one path only. Needs `eventsOfProject` as a condition. An event and the
 * override of its distinct id are on the same shard, so no override travels.
 */
export const eventsFrom = (projectId: number, { overridden = true }: ActorOptions = {}): Sql =>
  overridden
    ? sql`events AS e ANY LEFT JOIN (
    SELECT distinct_id, actor, version FROM ${ofShard('distinct_id_overrides')} FINAL WHERE project_id = ${unsigned(projectId)}
  ) AS o ON o.distinct_id = e.distinct_id`
    : sql`events AS e`;

/** The current actor of event `e`: a person's id, or a negative id when the distinct id belongs to no person. */
export const resolvedActor = ({ overridden = true }: ActorOptions = {}): Sql =>
  // The join returns version 0 when there is no override.
  overridden ? sql`if(o.version >= greatest(e.version, 1), o.actor, e.actor)` : sql`e.actor`;

export const eventsOfProject = (projectId: number): Sql => sql`e.project_id = ${unsigned(projectId)}`;

/** A project's events with their actor, as a sub-query. Where properties are needed, use `eventsFrom`, which reads far less. */
export const eventsWithActor = (projectId: number, options: ActorOptions = {}): Sql => sql`(
  SELECT e.uuid AS uuid, e.event AS event, e.distinct_id AS distinct_id, ${resolvedActor(options)} AS actor,
    e.timestamp AS timestamp, e.received_at AS received_at, e.properties AS properties
  FROM ${eventsFrom(projectId, options)} WHERE ${eventsOfProject(projectId)})`;

export const anyOverride = (projectId: number): Sql =>
  sql`SELECT 1 AS one FROM distinct_id_overrides WHERE project_id = ${unsigned(projectId)} LIMIT 1`;

/**
 * The actor of a distinct id that belongs to no person: always the same one, and negative, unlike the id of any person.
 * Returned as text, because it does not fit a JavaScript number.
 */
export const profilelessActor = (projectId: number, distinctId: string): string => {
  const digest = createHash('sha256').update(`${projectId}:${distinctId}`).digest();
  return String(-BigInt.asUintN(63, digest.readBigUInt64BE()) - 1n);
};
