import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { EventArchiving } from '../../src/kernel/event-log/compression/event-archiving.js';
import { eventsInBlock } from '../../src/kernel/event-log/compression/compress-events.js';
import { compressProject } from '../../src/kernel/event-log/compression/uncompressed.js';
import { DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { fromBody, type BlockEvent } from '../../src/kernel/projection/blocks/block-body.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { deletePersonWithEvents } from './deletions.js';
import { type Answer } from './service-handle.js';
import { type TestService } from './service.js';

export interface Sent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString();

/** An event of a morning in January. */
export const sent = (minute: number, distinct_id: string, properties: Record<string, unknown> = {}): Sent => ({
  ...{ uuid: randomUUID(), event: 'seen', distinct_id, properties },
  timestamp: at(minute),
});

export interface Places {
  readonly in_rows: number;
  readonly in_blocks: number;
  readonly in_files: number;
}

const dayMs = 24 * 60 * 60_000;

/** A project whose events move into blocks, and from there into files. */
export class CompressedScene {
  readonly pool: Pool;
  readonly postgres: Postgres;

  constructor(
    readonly service: TestService,
    readonly project: ProjectDto,
  ) {
    this.postgres = service.app.get(Postgres);
    this.pool = this.postgres.pool;
  }

  call(
    method: Parameters<TestService['call']>[0],
    rest: string,
    options: Parameters<TestService['call']>[2] = {},
  ): Promise<Answer> {
    return this.service.call(method, `/api/projects/${this.project.id}/${rest}`, options);
  }

  async capture(events: readonly Sent[]): Promise<{ readonly accepted: number; readonly duplicates: number }> {
    const body = { api_key: this.project.api_token, batch: events };
    const answer = await this.service.call('POST', '/batch', { key: null, body });
    expect(answer.status).toBe(200);
    return answer.body as { accepted: number; duplicates: number };
  }

  /** Sends so few at a time that their properties come to rows. */
  async captureInRows(events: readonly Sent[]): Promise<number> {
    let accepted = 0;
    for (let from = 0; from < events.length; from += eventsInBlock - 1)
      accepted += (await this.capture(events.slice(from, from + eventsInBlock - 1))).accepted;
    return accepted;
  }

  /** Returns the number of events that moved. */
  async compress(): Promise<number> {
    let events = 0;
    await compressProject(this.postgres, this.project.id, (compressed) => {
      events += compressed;
    });
    return events;
  }

  /** Archives all that has arrived, as if three days had passed. */
  archive(): Promise<void> {
    return this.service.app.get(EventArchiving).archive(new Date(Date.now() + 3 * dayMs), 1, 0);
  }

  async deletePerson(distinctId: string): Promise<void> {
    await deletePersonWithEvents(this.service.app.get(DeletionRecorder), this.pool, this.project.id, distinctId);
  }

  async runDeletions(): Promise<void> {
    await this.service.app.get(DeletionsJob).run();
  }

  async personOf(distinct_id: string): Promise<PersonDto> {
    const { body } = await this.call('GET', 'persons', { query: { distinct_id } });
    return (body as { results: [PersonDto] }).results[0];
  }

  async places(): Promise<Places> {
    const { rows } = await this.pool.query<Places>(
      `SELECT count(e.properties)::integer AS in_rows, count(b.body)::integer AS in_blocks, count(b.archive)::integer AS in_files
       FROM events AS e LEFT JOIN event_blocks AS b ON b.project_id = $1 AND b.id = e.block WHERE e.project_id = $1`,
      [this.project.id],
    );
    return rows[0] as Places;
  }

  /** The events in all blocks of the project in PostgreSQL. */
  async inBlocks(): Promise<BlockEvent[]> {
    const { rows } = await this.pool.query<{ body: Buffer }>(
      'SELECT body FROM event_blocks WHERE project_id = $1 AND body IS NOT NULL',
      [this.project.id],
    );
    return (await Promise.all(rows.map(({ body }) => fromBody(body)))).flat();
  }

  /** Reads the properties of events in each way: no compression may change an answer. */
  async everyAnswer(uuids: readonly string[], distinctIds: readonly string[]): Promise<string[]> {
    const answers: string[] = [];
    const read = async (rest: string, query: Record<string, string> = {}): Promise<void> => {
      const { status, text } = await this.call('GET', rest, { query });
      expect([rest, status]).toEqual([rest, 200]);
      answers.push(text.replace(/"exported_at":"[^"]*"/, ''));
    };
    for (const uuid of uuids) await read(`events/${uuid}`);
    await read('events', { limit: '100' });
    await read('export/events');
    await read('export/events', { after: at(2), limit: '7' });
    for (const id of distinctIds) {
      const { id: person } = await this.personOf(id);
      await read(`persons/${person}/export`);
      await read(`persons/${person}/properties_timeline`, { date_from: '2026-01-01', date_to: '2026-01-31' });
    }
    return answers;
  }

  /** All events as ClickHouse has them. */
  async projected(): Promise<unknown[]> {
    const query = 'SELECT uuid, event, distinct_id, timestamp, properties FROM events ORDER BY uuid LIMIT 10000';
    const answer = await this.call('POST', 'query', { body: { query: { kind: 'HogQLQuery', query } } });
    expect(answer.status).toBe(200);
    return (answer.body as { results: unknown[] }).results;
  }
}
