import { Injectable } from '@nestjs/common';
import { collectOutbox } from '../../kernel/projection/outbox/outbox.js';
import { blockProperties } from '../../kernel/projection/blocks/block-properties.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { arrivalsSql, contentsSql, currentSnapshot, headsSql, type ArrivalsQuestion } from './arrivals.sql.js';
import { type ArrivalPosition, type Snapshot } from './position.js';

export interface ArrivedEvent {
  readonly uuid: string;
  readonly position: ArrivalPosition;
}

export interface Arrived {
  /** The first events, in the order of their arrivals. */
  readonly events: readonly ArrivedEvent[];
  /** The number of all events. */
  readonly total: number;
}

export interface Arrivals {
  /** The snapshot by which the arrivals were read. */
  readonly snapshot: Snapshot;
  /** The projects in which events have arrived. */
  readonly projects: ReadonlyMap<number, Arrived>;
}

/** The fields of an event that filters read. */
export interface Head {
  readonly event: string;
  readonly distinct_id: string;
  /** The person to whom the distinct id belongs now. */
  readonly person_id: string | null;
}

interface ArrivalRow {
  readonly snapshot: Snapshot;
  readonly project_id: number;
  /** Null for a project in which nothing has arrived. */
  readonly xid: string | null;
  readonly id: string;
  readonly uuids: readonly string[];
  readonly total: number;
}

interface ContentRow extends Head {
  readonly uuid: string;
  readonly timestamp: Date;
  readonly received_at: Date;
  /** Null when the properties are stored in a block. */
  readonly properties: string | null;
  readonly block: string | null;
}

/** Reads new arrivals and their events from PostgreSQL. */
@Injectable()
export class ArrivalsReader {
  constructor(private readonly postgres: Postgres) {}

  async snapshot(): Promise<Snapshot> {
    await collectOutbox(this.postgres);
    const { rows } = await this.postgres.query<{ snapshot: Snapshot }>(currentSnapshot());
    return rows[0]?.snapshot ?? '';
  }

  async read(question: ArrivalsQuestion): Promise<Arrivals> {
    await collectOutbox(this.postgres);
    const { rows } = await this.postgres.query<ArrivalRow>(arrivalsSql(question));
    const projects = new Map<number, { events: ArrivedEvent[]; total: number }>();
    for (const { project_id, xid, id, uuids, total } of rows) {
      if (xid === null) continue;
      const known = projects.get(project_id) ?? { events: [], total };
      projects.set(project_id, known);
      const { after } = question;
      const sent = after?.xid === xid && after.id === id ? after.at : 0;
      known.total -= Math.min(sent, uuids.length);
      for (let at = sent; at < uuids.length; at += 1)
        known.events.push({ uuid: uuids[at] as string, position: { xid, id, at: at + 1 } });
    }
    return { snapshot: rows[0]?.snapshot ?? '', projects };
  }

  /** Returns the fields that filters read, in the order of the uuids; undefined for an event that was removed meanwhile. */
  async heads(projectId: number, uuids: readonly string[]): Promise<(Head | undefined)[]> {
    const { rows } = await this.postgres.query<Head & { place: number }>(headsSql(projectId, uuids));
    const heads = new Array<Head | undefined>(uuids.length).fill(undefined);
    for (const { place, ...head } of rows) heads[place - 1] = head;
    return heads;
  }

  /**
   * Returns the events as JSON in the shape of `EventDto`, by uuid, until `bytes` are reached. Properties keep the text that
   * PostgreSQL wrote, so that the event loop has nothing to parse.
   */
  async contents(projectId: number, uuids: readonly string[], bytes: number): Promise<ReadonlyMap<string, string>> {
    if (uuids.length === 0) return new Map();
    const { rows } = await this.postgres.query<ContentRow>(contentsSql(projectId, uuids, bytes));
    const inBlocks = await blockProperties(this.postgres, projectId, rows);
    return new Map(
      rows.flatMap((row) => {
        const properties = row.properties ?? inBlocks.get(row.uuid);
        return properties === undefined ? [] : [[row.uuid, jsonOf(row, properties)]];
      }),
    );
  }
}

const jsonOf = (
  { person_id, timestamp, received_at, uuid, event, distinct_id }: ContentRow,
  properties: string,
): string => {
  const head = JSON.stringify({
    uuid,
    event,
    distinct_id,
    person_id: person_id === null ? null : Number(person_id),
    timestamp: timestamp.toISOString(),
    received_at: received_at.toISOString(),
  });
  return `${head.slice(0, -1)},"properties":${properties}}`;
};
