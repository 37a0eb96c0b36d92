import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type ClientBase, type QueryResult } from 'pg';
import { ActiveProjects, type Pace } from '../../platform/work/active-projects.js';
import { sendCsvBatches, type CsvRow } from '../../platform/csv/csv.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { keyCondition } from './key-pages.js';
import { type KeyFilter } from './persons.query.js';
import { csvDistinctIds, listedIds, personName, withSomeDistinctIds } from '../reading/persons.repository.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { maxPropertyColumns, OccurringKeys } from '../csv/occurring-keys.js';
import { PersonColumns } from '../csv/person-columns.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Person } from '../../kernel/identity/person.entity.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

const rows = { perFetch: 100, perFetchAlone: 500, perKeySlice: 5000, atLeast: 10 };
/** The most that one fetch reads, in bytes as PostgreSQL stores them. */
const bytesPerFetch = 4 * 1024 ** 2;
/**
 * A slice of keys that takes longer than this is followed by a smaller one, otherwise by a larger one. A project that exports
 * alone makes no other wait, so its slices may take longer.
 */
const sliceMs = { shared: 20, alone: 100 };
/** PostgreSQL's time-out for the export, longer than the time after which a client that reads nothing is cut off. */
const patience = '2min';

type ExportRow = Stored<Pick<Person, 'id' | 'uuid'>> & {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  /** The ids as JSON, which parses many times faster than PostgreSQL's own notation. */
  readonly distinct_ids: string[];
  readonly human_ids: string[] | null;
};

const columnsOfRow = pgSql`
  p.id, p.uuid, p.properties, to_json(p.distinct_ids) AS distinct_ids, to_json(p.human_ids) AS human_ids,
  to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`;

/**
 * Exports, as CSV, every person of a list that PostgreSQL finds by key. All reads use one snapshot, so a person who is added or
 * changed during the export cannot bring a property without a column.
 */
@Injectable()
export class PersonsExport {
  constructor(
    private readonly postgres: Postgres,
    private readonly active: ActiveProjects,
  ) {}

  async send(response: Response, filename: string, project: ProjectContext, keys: KeyFilter): Promise<void> {
    const work = (client: ClientBase) => this.sendFrom(client, response, filename, project, keys);
    await duringExport(project, () => this.postgres.transaction(work, { snapshot: true }));
  }

  private async sendFrom(
    client: ClientBase,
    response: Response,
    filename: string,
    project: ProjectContext,
    keys: KeyFilter,
  ): Promise<void> {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${patience}'`);
    const condition = keyCondition(project, keys);
    const pace = this.active.pace(project.id);
    const { keys: occurring, bytes } = await occurringKeys(client, response, condition, pace);
    const columns = new PersonColumns(occurring);
    const most = Math.max(rows.atLeast, Math.floor(bytesPerFetch / bytes));
    const atOnce = () => Math.min(pace.isAlone() ? rows.perFetchAlone : rows.perFetch, most);
    await sendCsvBatches(
      response,
      filename,
      columns.header,
      rowsOf(client, project, condition, { columns, atOnce, pace }),
    );
  }
}

interface KeySlice {
  readonly last: string | null;
  readonly bytes: number | null;
  readonly keys: string[];
  readonly persons: number[];
  readonly has_more: boolean;
}

interface Occurring {
  readonly keys: OccurringKeys;
  /** The size of the largest properties that any person has, as PostgreSQL stores them. */
  readonly bytes: number;
}

const sliceOf = (condition: PgSql, after: string, limit: number): PgSql => pgSql`
  WITH slice AS MATERIALIZED (
    SELECT p.id, p.properties FROM persons AS p WHERE ${condition} AND p.id > ${bound(after)}::bigint
    ORDER BY p.id LIMIT ${bound(limit)}::integer
  ), frequent AS (
    SELECT key, count(*)::integer AS persons
    FROM (SELECT jsonb_object_keys(properties) AS key FROM slice) AS keys
    GROUP BY key ORDER BY persons DESC, key LIMIT ${bound(maxPropertyColumns + 1)}::integer
  )
  SELECT (SELECT max(id) FROM slice) AS last, (SELECT max(pg_column_size(properties)) FROM slice) AS bytes,
    coalesce(array_agg(key), '{}') AS keys, coalesce(array_agg(persons), '{}') AS persons,
    count(*) > ${bound(maxPropertyColumns)}::integer AS has_more
  FROM frequent`;

/** Collects the keys slice by slice, so that no statement takes long and a client that disconnects is noticed. */
const occurringKeys = async (
  client: ClientBase,
  response: Response,
  condition: PgSql,
  pace: Pace,
): Promise<Occurring> => {
  const keys = new OccurringKeys();
  let bytes = 1;
  let atOnce = rows.perFetch;
  let last: string | null = '0';
  while (last !== null && !response.destroyed) {
    const started = performance.now();
    const answer: QueryResult<KeySlice> = await client.query<KeySlice>(sliceOf(condition, last, atOnce));
    const slice: KeySlice | undefined = answer.rows[0];
    slice?.keys.forEach((key, at) => keys.add(key, slice.persons[at] ?? 0));
    if (slice?.has_more) keys.markIncomplete();
    bytes = Math.max(bytes, slice?.bytes ?? 0);
    last = slice?.last ?? null;
    atOnce = nextSlice(atOnce, performance.now() - started, pace.isAlone() ? sliceMs.alone : sliceMs.shared);
    await pace.step();
  }
  return { keys, bytes };
};

const nextSlice = (size: number, tookMs: number, longestMs: number): number => {
  if (tookMs > longestMs) return Math.max(rows.atLeast, Math.floor(size / 2));
  return tookMs < longestMs / 3 ? Math.min(rows.perKeySlice, size * 2) : size;
};

/** Reads one step ahead: PostgreSQL fetches the next rows while the current ones are written. */
async function* rowsOf(
  client: ClientBase,
  project: ProjectContext,
  condition: PgSql,
  { columns, atOnce, pace }: { readonly columns: PersonColumns; readonly atOnce: () => number; readonly pace: Pace },
): AsyncGenerator<Iterable<CsvRow>> {
  const most = pgSql`${bound(csvDistinctIds)}::integer`;
  await client.query(pgSql`
    DECLARE persons_export NO SCROLL CURSOR FOR SELECT ${columnsOfRow} FROM (
      ${withSomeDistinctIds(project, pgSql`persons AS p`, most)}
      WHERE ${condition} ORDER BY p.created_at DESC, p.id DESC OFFSET 0
    ) AS p`);
  const fetch = () => {
    const answer = client.query<ExportRow>(`FETCH ${atOnce()} FROM persons_export`);
    // The fetch may fail while the previous rows are still being written, before the loop awaits its result.
    answer.catch(() => undefined);
    return answer;
  };
  let next = fetch();
  try {
    for (;;) {
      const { rows: fetched } = await next;
      if (fetched.length === 0) return;
      next = fetch();
      yield lines(project, fetched, columns);
      await pace.step();
    }
  } finally {
    await next.catch(() => undefined);
  }
}

/** Yields the lines one by one, because together the cells of all rows could need much memory. */
function* lines(project: ProjectContext, fetched: readonly ExportRow[], columns: PersonColumns): Generator<CsvRow> {
  for (const row of fetched) yield columns.row(toCsvPerson(project, row));
}

const toCsvPerson = (project: ProjectContext, { id, uuid, properties, created_at, ...ids }: ExportRow) => {
  const distinctIds = listedIds(ids, csvDistinctIds);
  const person = { id: Number(id), properties, distinctIds };
  return {
    id: person.id,
    uuid,
    name: personName(project.personDisplayNameProperties, person),
    created_at,
    distinct_ids: distinctIds,
    properties,
  };
};
