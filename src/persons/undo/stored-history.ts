import { type ClientBase } from 'pg';
import { partsOf, type MergeRecord } from '../../kernel/identity/merges.repository.js';
import {
  type LoggedChange,
  type OwnedId,
  type RecordedHistory,
  type RecordedState,
  type StateSource,
} from './replay.js';
import { type SplitRecord } from '../../kernel/identity/splits.repository.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { loggedIdentity } from '../../kernel/event-log/normalise/normalise.js';
import { type LoggedEvent, readLog } from '../timeline/person-events.repository.js';

/** Reads the history in the transaction of the undo. */
export class StoredHistory implements RecordedHistory {
  private readonly project;

  constructor(
    private readonly client: ClientBase,
    private readonly projectId: number,
  ) {
    this.project = bound(projectId);
  }

  async merges(person: string): Promise<MergeRecord[]> {
    const { rows } = await this.client.query<MergeRecord>(pgSql`
      WITH RECURSIVE ${partsOf(this.projectId, [person])}, found AS (
        SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${this.project} AND r.survivor = parts.id
        UNION
        SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${this.project} AND r.merged = parts.id
      )
      SELECT r.id, r.survivor, r.merged, r.merged_uuid, r.merged_cohorts, r.survivor_cohorts, r.last_position, r.redirects,
        r.reason, r.event_uuid, r.merged_at, r.undone_at, r.is_forgotten, ARRAY(
          SELECT i.distinct_id FROM person_merge_ids AS i WHERE i.project_id = ${this.project} AND i.merge_id = r.id
        ) AS distinct_ids
      FROM found JOIN person_merges AS r ON r.project_id = ${this.project} AND r.id = found.id
      ORDER BY r.id`);
    return rows;
  }

  async splits(persons: readonly string[]): Promise<SplitRecord[]> {
    const { rows } = await this.client.query<SplitRecord>(pgSql`
      WITH RECURSIVE ${partsOf(this.projectId, persons)}, found AS (
        SELECT s.id FROM parts JOIN person_splits AS s ON s.project_id = ${this.project} AND s.person_id = parts.id
        UNION
        SELECT i.split_id FROM parts JOIN person_split_ids AS i ON i.project_id = ${this.project} AND i.person_id = parts.id
      )
      SELECT s.id, s.person_id, s.last_position, s.split_at, s.undone_at, s.is_forgotten, coalesce((
        SELECT json_agg(json_build_object(
          'distinct_id', i.distinct_id, 'person_id', i.person_id::text, 'is_undone', i.undone_at IS NOT NULL
        )) FROM person_split_ids AS i WHERE i.project_id = ${this.project} AND i.split_id = s.id
          AND (s.person_id IN (SELECT id FROM parts) OR i.person_id IN (SELECT id FROM parts))
      ), '[]') AS ids
      FROM found JOIN person_splits AS s ON s.project_id = ${this.project} AND s.id = found.id
      ORDER BY s.split_at, s.id`);
    return rows;
  }

  async ids(persons: readonly string[], others: readonly string[]): Promise<OwnedId[]> {
    const { rows } = await this.client.query<OwnedId>(pgSql`
      SELECT distinct_id, person_id, position FROM person_distinct_ids
      WHERE project_id = ${this.project} AND person_id = ANY (${bound(persons)}::bigint[])
      UNION
      SELECT distinct_id, person_id, position FROM person_distinct_ids
      WHERE project_id = ${this.project} AND distinct_id = ANY (${bound(others)}::text[])
      ORDER BY position`);
    return rows;
  }

  async state(source: StateSource): Promise<RecordedState> {
    const { rows } = await this.client.query<RecordedState>(
      'split' in source
        ? pgSql`SELECT properties, is_identified, created_at FROM person_splits
            WHERE project_id = ${this.project} AND id = ${bound(source.split)}::bigint`
        : pgSql`SELECT ${stateColumns[source.side]} FROM person_merges
            WHERE project_id = ${this.project} AND id = ${bound(source.merge)}::bigint`,
    );
    if (!rows[0]) throw new Error('The record of a merge or a split is gone');
    return rows[0];
  }

  /** Orders the events of one commit by their own times. */
  events(distinctIds: readonly string[], since: Date, take: (event: LoggedChange) => void): Promise<void> {
    const uuids = pgSql`
      SELECT e.uuid FROM unnest(${bound(distinctIds)}::text[]) AS input (distinct_id)
      CROSS JOIN LATERAL (
        SELECT * FROM events
        WHERE project_id = ${this.project} AND distinct_id = input.distinct_id AND received_at >= ${bound(since)}
        OFFSET 0
      ) AS e
      ORDER BY e.received_at, e.timestamp, e.uuid`;
    return readLog(this.client, this.projectId, uuids, (events) => events.map(changeOf).forEach(take));
  }
}

/** The columns of a recorded state. Older records lack the time of creation for persons that were made in the same commit. */
const stateColumns = {
  survivor: pgSql`survivor_properties AS properties, survivor_is_identified AS is_identified,
    coalesce(survivor_created_at, merged_at) AS created_at`,
  merged: pgSql`merged_properties AS properties, merged_is_identified AS is_identified,
    coalesce(merged_created_at, merged_at) AS created_at`,
};

const changeOf = ({ uuid, event, distinct_id, timestamp, received_at, properties }: LoggedEvent): LoggedChange => {
  const { person, merge, identifies } = loggedIdentity(event, distinct_id, properties);
  const otherDistinctId = merge?.otherDistinctId ?? null;
  return { uuid, distinctId: distinct_id, timestamp, receivedAt: received_at, person, identifies, otherDistinctId };
};
