import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Response } from 'express';
import { type ClientBase, type Pool, type QueryResult } from 'pg';
import { type DataSource } from 'typeorm';
import { sendCsvBatches, type CsvRow } from '../../common/csv/csv.js';
import { unavailable } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { pgPool } from '../../stores/postgres/pool.js';
import { inTransaction } from '../../stores/postgres/transaction.js';
import { keyCondition } from '../list/key-pages.js';
import { type KeyWish } from '../list/wanted-persons.js';
import { personName } from '../person-name.js';
import { csvDistinctIds, shownIds, withSomeDistinctIds } from '../person-rows.js';
import { PersonColumns } from './person-columns.js';

/** Each holds a connection and a snapshot. */
const maxExports = 4;
const rowsPerFetch = 500;
const rowsPerKeySlice = 5000;
/** How long a client may pause before its export is cut. */
const patience = '15min';

interface ExportRow {
  readonly id: string;
  readonly uuid: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  /** As JSON, which is read many times faster than PostgreSQL's own notation. */
  readonly distinct_ids: string[];
  readonly human_ids: string[] | null;
}

const columnsOfRow = `
  p.id, p.uuid, p.properties, to_json(p.distinct_ids) AS distinct_ids, to_json(p.human_ids) AS human_ids,
  to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`;

/**
 * Every person of a list that PostgreSQL finds by key, as CSV, read from one snapshot: nobody who comes or changes
 * meanwhile has a property without a column.
 */
@Injectable()
export class PersonsExport {
  private readonly pool: Pool;
  private running = 0;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.pool = pgPool(dataSource);
  }

  async send(response: Response, filename: string, project: ProjectContext, keys: KeyWish): Promise<void> {
    if (this.running >= maxExports) throw unavailable('Too many exports are running: try again later', 10);
    this.running += 1;
    try {
      const work = (client: ClientBase) => this.sendFrom(client, response, filename, project, keys);
      await inTransaction(this.pool, work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    } finally {
      this.running -= 1;
    }
  }

  private async sendFrom(
    client: ClientBase,
    response: Response,
    filename: string,
    project: ProjectContext,
    keys: KeyWish,
  ): Promise<void> {
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${patience}'`);
    const condition = keyCondition(keys);
    const columns = new PersonColumns(await occurringKeys(client, response, project, condition));
    await sendCsvBatches(response, filename, columns.header, rowsOf(client, project, condition, columns));
  }
}

type Condition = ReturnType<typeof keyCondition>;

interface KeySlice {
  readonly last: string | null;
  readonly keys: string[];
}

/** Slice by slice, so that no statement is long and a client that goes away is noticed. */
const occurringKeys = async (
  client: ClientBase,
  response: Response,
  project: ProjectContext,
  { text, values }: Condition,
): Promise<Set<string>> => {
  const keys = new Set<string>();
  const behind = `$${values.length + 2}`;
  const statement = `
    WITH slice AS MATERIALIZED (
      SELECT p.id, p.properties FROM persons AS p WHERE ${text} AND p.id > ${behind}::bigint
      ORDER BY p.id LIMIT ${rowsPerKeySlice}
    )
    SELECT max(id) AS last,
      ARRAY(SELECT DISTINCT jsonb_object_keys(properties) FROM slice) AS keys
    FROM slice`;
  let last: string | null = '0';
  while (last !== null && !response.destroyed) {
    const { rows }: QueryResult<KeySlice> = await client.query<KeySlice>(statement, [project.id, ...values, last]);
    for (const key of rows[0]?.keys ?? []) keys.add(key);
    last = rows[0]?.last ?? null;
  }
  return keys;
};

/** One step ahead: PostgreSQL reads the next rows while these are written. */
async function* rowsOf(
  client: ClientBase,
  project: ProjectContext,
  { text, values }: Condition,
  columns: PersonColumns,
): AsyncGenerator<CsvRow[]> {
  await client.query(
    `DECLARE persons_export NO SCROLL CURSOR FOR SELECT ${columnsOfRow} FROM (
       ${withSomeDistinctIds('persons AS p', `$${values.length + 2}::integer`)}
       WHERE ${text} ORDER BY p.created_at DESC, p.id DESC OFFSET 0
     ) AS p`,
    [project.id, ...values, csvDistinctIds],
  );
  const fetch = () => {
    const rows = client.query<ExportRow>(`FETCH ${rowsPerFetch} FROM persons_export`);
    // It may fail while the rows before it are written, and nobody listens yet.
    rows.catch(() => undefined);
    return rows;
  };
  let next = fetch();
  try {
    for (;;) {
      const { rows } = await next;
      if (rows.length === 0) return;
      next = fetch();
      yield rows.map((row) => columns.row(toCsvPerson(project, row)));
    }
  } finally {
    await next.catch(() => undefined);
  }
}

const toCsvPerson = (project: ProjectContext, { id, uuid, properties, created_at, ...ids }: ExportRow) => {
  const distinctIds = shownIds(ids, csvDistinctIds);
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
