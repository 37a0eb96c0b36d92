import { Injectable } from '@nestjs/common';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type EventDto, type IngestionWarningDto } from './event.dto.js';
import { namedPersons, refuseMerged } from '../../persons/reading/named-persons.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Event } from '../../kernel/event-log/event.entity.js';
import { withProperties } from '../../kernel/projection/blocks/block-properties.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

type StoredRow = Stored<Omit<Event, 'projectId' | 'propertiesBytes'>> & { readonly person_id: string | null };
type EventRow = Omit<StoredRow, 'properties' | 'block'> & { readonly properties: object };

/** Reads events, persons and warnings by key from PostgreSQL. */
@Injectable()
export class EventsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Returns events in the order of the uuids, without unknown uuids. */
  async byUuid(projectId: number, uuids: readonly string[]): Promise<EventDto[]> {
    const project = bound(projectId);
    const { rows } = await this.postgres.query<StoredRow>(
      pgSql`SELECT e.uuid, e.event, e.distinct_id, d.person_id, e.timestamp, e.received_at, e.properties, e.block
       FROM events e
       LEFT JOIN person_distinct_ids d ON d.project_id = ${project} AND d.distinct_id = e.distinct_id
       WHERE e.project_id = ${project} AND e.uuid = ANY (${bound(uuids)}::uuid[])`,
    );
    const events: EventRow[] = await withProperties(this.postgres, projectId, rows);
    const byUuid = new Map(events.map((row) => [row.uuid, toEventDto(row)]));
    return uuids.flatMap((uuid) => byUuid.get(uuid) ?? []);
  }

  /** Returns the id of the person; null for an unknown person, who has no events. */
  async personIdOf(projectId: number, reference: string): Promise<string | null> {
    const ref = personRef(reference, 'person_id');
    const [person] = await namedPersons(this.postgres, projectId, [ref]);
    if (!person) await refuseMerged(this.postgres, projectId, [ref]);
    return person?.id ?? null;
  }

  async warnings(projectId: number, { limit, offset }: PageQuery): Promise<Slice<IngestionWarningDto>> {
    const [page, total] = await Promise.all([
      this.postgres.query<Omit<IngestionWarningDto, 'created_at'> & { created_at: Date }>(
        pgSql`SELECT id, type, detail, event_uuid, distinct_id, created_at FROM ingestion_warnings
         WHERE project_id = ${bound(projectId)} ORDER BY id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`,
      ),
      this.postgres.query<{ count: string }>(
        pgSql`SELECT count(*) FROM ingestion_warnings WHERE project_id = ${bound(projectId)}`,
      ),
    ]);
    return {
      count: Number(total.rows[0]?.count ?? 0),
      results: page.rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    };
  }
}

const toEventDto = (row: EventRow): EventDto => ({
  uuid: row.uuid,
  event: row.event,
  distinct_id: row.distinct_id,
  person_id: row.person_id === null ? null : Number(row.person_id),
  timestamp: row.timestamp.toISOString(),
  received_at: row.received_at.toISOString(),
  properties: row.properties,
});
