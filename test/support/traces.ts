import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { fromBody, type BlockEvent } from '../../src/kernel/projection/blocks/block-body.js';
import { archivedParts } from '../../src/kernel/projection/blocks/archived-rows.js';
import { type ClickHouse } from '../../src/platform/clickhouse/client.js';
import { identifier, sql, text } from '../../src/platform/clickhouse/sql.js';

/** The tables of PostgreSQL with a row that contains the marker, as text or, in a binary column, as hexadecimal. */
export const tablesWith = async (pool: Pool, marker: string): Promise<string[]> => {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ number: string }>(
      `SELECT count(*) AS number FROM ${name} AS t
       WHERE strpos(t::text, $1) > 0 OR strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
      [marker],
    );
    if (Number(rows[0]?.number) > 0) found.push(name);
  }
  return found;
};

/**
 * The tables of ClickHouse with a row that contains the marker. Reads what a question can read: rows that a newer version hides
 * stay in the files of ClickHouse until it merges them.
 */
export const projectedTablesWith = async (clickhouse: ClickHouse, marker: string): Promise<string[]> => {
  const tables = await clickhouse.query<{ name: string; engine: string }>(
    sql`SELECT replaceRegexpOne(name, '_local$', '') AS name, engine FROM system.tables
      WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
    { project: 'system' },
  );
  if (!tables.some(({ name }) => name === 'events')) throw new Error('ClickHouse has no table of events');
  const found: string[] = [];
  for (const { name, engine } of tables) {
    const final = engine.includes('Replacing') ? sql`FINAL` : sql``;
    const [counted] = await clickhouse.query<{ number: number }>(
      sql`SELECT count() AS number FROM ${identifier(name)} ${final} WHERE position(formatRow('JSONEachRow', *), ${text(marker)}) > 0`,
      { project: 'system' },
    );
    if (Number(counted?.number) > 0) found.push(name);
  }
  return found;
};

export interface Packed {
  /** `block` or `file`, and its name. */
  readonly at: string;
  /** The properties of an event. */
  readonly text: string;
}

/** The events with the marker in compressed places: blocks of PostgreSQL, and files of the archive, whether or not a row knows the file. */
export const packedWith = async (pool: Pool, folder: string, marker: string): Promise<Packed[]> => {
  const { rows: blocks } = await pool.query<{ id: string; body: Buffer }>(
    'SELECT id, body FROM event_blocks WHERE body IS NOT NULL',
  );
  const found: Packed[] = [];
  const look = (at: string, events: readonly BlockEvent[]): void => {
    for (const { properties: text } of events) if (text.includes(marker)) found.push({ at, text });
  };
  for (const { id, body } of blocks) look(`block ${id}`, await fromBody(body));
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const [, project, day, id] = /^(\d+)\/([\d-]+)\/([\w-]+)\.parquet$/.exec(name) ?? [];
    if (project === undefined || day === undefined || id === undefined) continue;
    const { length: bytes } = await readFile(join(folder, name));
    for await (const part of archivedParts({ projectId: Number(project), day, id, bytes })) look(`file ${name}`, part);
  }
  return found;
};
