import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type ClientBase } from 'pg';
import { ActivityRepository } from '../../activity/log/activity.repository.js';
import { ActiveProjects } from '../../platform/work/active-projects.js';
import { asFile, sendStream } from '../../platform/http/send-stream.js';
import { Spool } from '../../platform/http/spool.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { PersonCohortsService } from '../../cohorts/record/person-cohorts.service.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { type PersonDto } from '../../persons/person.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type PlacedEvent, blockProperties } from '../../kernel/projection/blocks/block-properties.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { documentEventsSql, placesSql } from '../files/lines.sql.js';
import { type LinesRow } from '../files/walk.js';

/** A person can be a member of every cohort of its project, so this is the limit of cohorts. */
const mostCohorts = 10_000;
const keysAtOnce = 1000;

interface Merged {
  readonly id: number;
  readonly uuid: string | null;
}

/**
 * Declares a cursor over the events of a person that sorts keys only: those of a person with a million events take a few
 * megabytes.
 */
const eventKeys = (project: ProjectContext, personId: number): PgSql => pgSql`
  DECLARE document_events NO SCROLL CURSOR FOR
  SELECT e.uuid FROM events AS e
  WHERE e.project_id = ${bound(project.id)} AND e.distinct_id IN (
    SELECT d.distinct_id FROM person_distinct_ids AS d
    WHERE d.project_id = ${bound(project.id)} AND d.person_id = ${bound(personId)}::bigint
  )
  ORDER BY e.timestamp, e.uuid`;

const distinctIdKeys = (project: ProjectContext, personId: number): PgSql => pgSql`
  DECLARE document_ids NO SCROLL CURSOR FOR
  SELECT d.distinct_id FROM person_distinct_ids AS d
  WHERE d.project_id = ${bound(project.id)} AND d.person_id = ${bound(personId)}::bigint ORDER BY d.position`;

const mergedKeys = (project: ProjectContext, personId: number, cursor: PgSql): PgSql => pgSql`
  DECLARE ${cursor} NO SCROLL CURSOR FOR
  SELECT r.source::float8 AS id, r.uuid FROM person_redirects AS r
  WHERE r.project_id = ${bound(project.id)} AND r.target = ${bound(personId)}::bigint ORDER BY r.source`;

/** Sends everything that is kept about a person as one JSON document, in constant memory. */
@Injectable()
export class PersonDocuments {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly cohorts: PersonCohortsService,
    private readonly log: ActivityRepository,
    private readonly active: ActiveProjects,
  ) {}

  async send(response: Response, project: ProjectContext, ref: PersonRef, now: Date): Promise<void> {
    await duringExport(project, async () => {
      const person = await this.persons.get(project, ref);
      const query = { person_id: String(person.id), limit: mostCohorts, offset: 0 };
      const { results } = await this.cohorts.list(project, query, now);
      const cohorts = results.map(({ id, name, is_static }) => ({ id, name, is_static }));
      const spool = new Spool();
      const read = (client: ClientBase): Promise<void> => {
        const document = this.document(client, project, person, { cohorts, now });
        return spool.fill(this.active.pace(project.id).each(document), () => response.destroyed);
      };
      try {
        // Everything is stored on disk first: a client may read for hours, but the snapshot must end before the first byte is
        // sent.
        await this.postgres.transaction(read, { snapshot: true });
        response.status(200).set({
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Disposition': asFile(`person-${person.id}.json`),
        });
        await sendStream(response, spool.chunks());
      } finally {
        await spool.close();
      }
    });
  }

  private async *document(
    client: ClientBase,
    project: ProjectContext,
    { id, uuid, created_at, is_identified, properties }: PersonDto,
    { cohorts, now }: { readonly cohorts: readonly object[]; readonly now: Date },
  ): AsyncGenerator<string> {
    const person = JSON.stringify({ id, uuid, created_at, is_identified, properties });
    yield `{"exported_at":"${now.toISOString()}",\n"person":${person},\n"distinct_ids":`;
    const idOf = ({ distinct_id }: { distinct_id: string }): string => distinct_id;
    yield* listOf(pagesOf<{ distinct_id: string }>(client, distinctIdKeys(project, id), 'document_ids'), idOf);
    yield ',\n"merged":';
    yield* listOf(
      pagesOf<Merged>(client, mergedKeys(project, id, pgSql`document_merged`), 'document_merged'),
      (merged) => merged,
    );
    yield `,\n"cohorts":${JSON.stringify(cohorts)},\n"activity":`;
    yield* listOf(inPages(this.activityOf(client, project, id)), (entry) => entry);
    yield ',\n"events":[';
    yield* eventsOf(client, project, id);
    yield ']}\n';
  }

  private async *activityOf(client: ClientBase, project: ProjectContext, id: number): AsyncGenerator<object> {
    yield* this.log.walk(project, { scope: 'Person', itemId: String(id) }, 0);
    const sources = pagesOf<Merged>(client, mergedKeys(project, id, pgSql`document_sources`), 'document_sources');
    for await (const page of sources) {
      for (const source of page) yield* this.log.walk(project, { scope: 'Person', itemId: String(source.id) }, 0);
    }
  }
}

async function* pagesOf<T extends object>(client: ClientBase, declare: PgSql, cursor: string): AsyncGenerator<T[]> {
  await client.query(declare);
  for (;;) {
    const { rows } = await client.query<T>(`FETCH ${keysAtOnce} FROM ${cursor}`);
    if (rows.length === 0) return;
    yield rows;
  }
}

const entriesInPage = 100;

async function* inPages<T>(entries: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const entry of entries) {
    page.push(entry);
    if (page.length < entriesInPage) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Writes a JSON list, page by page. */
async function* listOf<T>(pages: AsyncIterable<readonly T[]>, valueOf: (entry: T) => unknown): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of pages) {
    const text = page.map((entry) => JSON.stringify(valueOf(entry))).join(',\n');
    yield `${separator}${text}`;
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* eventsOf(client: ClientBase, project: ProjectContext, personId: number): AsyncGenerator<string> {
  let separator = '';
  for await (const rows of pagesOf<{ uuid: string }>(client, eventKeys(project, personId), 'document_events')) {
    let uuids = rows.map(({ uuid }) => uuid);
    while (uuids.length > 0) {
      const { rows: placed } = await client.query<PlacedRow>(placesSql(project.id, uuids));
      const next = placed.slice(0, lengthWithin(placed));
      const inBlocks = await blockProperties(client, project.id, next);
      const named = next.map(({ uuid }) => uuid);
      const { rows: read } = await client.query<LinesRow>(documentEventsSql(project.id, named, inBlocks));
      const { lines, taken } = read[0] ?? { lines: null, taken: named.length };
      if (lines !== null) yield separator + lines.replaceAll('\n', ',\n');
      if (lines !== null) separator = ',\n';
      uuids = uuids.slice(taken);
    }
  }
}

interface PlacedRow extends PlacedEvent {
  readonly bytes: number;
}

/**
 * Properties in blocks are sent to PostgreSQL and back, so they are read in pieces of this size, at least one event at a time.
 */
const blockBytesAtOnce = 2 * 1024 ** 2;

const lengthWithin = (placed: readonly PlacedRow[]): number => {
  let total = 0;
  const end = placed.findIndex(({ bytes }, at) => (total += bytes) > blockBytesAtOnce && at > 0);
  return end < 0 ? placed.length : end;
};
