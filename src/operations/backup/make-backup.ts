import { type ClientBase } from 'pg';
import { type DataSource } from 'typeorm';
import { serviceVersion } from '../../platform/config/version.js';
import { copyTableOut, type CopiedTable, type Flow } from '../../platform/postgres/copy-table.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { copyArchivedEvents } from './archived-events.js';
import { BackupKey } from './files/backup-key.js';
import {
  type BackedUpTable,
  type Manifest,
  type Part,
  formatVersion,
  partsOfBackup,
  readManifest,
  writtenManifest,
} from './files/manifest.js';
import { defaultPartBytes, PartCutter } from './files/part-cutter.js';
import { PartWriter } from './files/parts.js';
import { type BackupDestination } from './destinations/destination.js';
import { copiedTableNames, withColumns } from './tables/copied-tables.js';

export interface BackupRequest {
  /** The destination in which the backup is made. It also knows the destination of the earlier backup. */
  readonly to: BackupDestination;
  /** An earlier backup, whose files are shared where rows are equal. */
  readonly since: BackupDestination | null;
  readonly key: Buffer | null;
  readonly partBytes?: number;
  readonly onTable?: (done: number, all: number) => void;
  /** Called before each file is written. If it throws, the backup ends with that error. */
  readonly assertContinuing?: () => void;
}

export interface MadeBackup {
  readonly manifest: Manifest;
  readonly files: number;
  /** Files that the earlier backup has, too. */
  readonly shared: number;
  readonly bytes: number;
}

interface Source {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
}

/** Copies all tables as they are at one moment, while the service works. */
export const makeBackup = async (source: Source, request: BackupRequest): Promise<MadeBackup> => {
  const previous = request.since === null ? null : await readManifest(request.since, request.key);
  const draft = await request.to.start();
  try {
    const key = new BackupKey(request.key);
    const writer = new PartWriter(draft, key, previous, request.assertContinuing);
    const manifest = await copyTables(source, request, writer, { key, previous: previous?.seal ?? null });
    await draft.complete(writtenManifest(manifest, key).text);
    const parts = partsOfBackup(manifest);
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    return { manifest, files: parts.length, shared: writer.shared, bytes };
  } catch (error) {
    // A destination that cannot be reached cannot be cleared either, and the operator needs the error that came first.
    await draft.abandon().catch(() => undefined);
    throw error;
  }
};

const copyTables = (
  { postgres, dataSource }: Source,
  { partBytes = defaultPartBytes, onTable = () => undefined }: BackupRequest,
  writer: PartWriter,
  { key, previous }: { readonly key: BackupKey; readonly previous: string | null },
): Promise<Manifest> =>
  postgres.transaction(
    async (client) => {
      await client.query('SET LOCAL statement_timeout = 0');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      // Rows come in the same order each time, so that unchanged parts stay the same.
      await client.query('SET LOCAL synchronize_seqscans = off');
      const startedAt = await moment(client);
      const { rows: migrations } = await client.query<{ name: string }>(
        'SELECT name FROM migrations ORDER BY timestamp, id',
      );
      const named = await withColumns(client, copiedTableNames(dataSource));
      const tables: BackedUpTable[] = [];
      for (const table of named) {
        tables.push(await copyTable(client, table, writer, partBytes));
        onTable(tables.length, named.length);
      }
      const archivedEvents = await copyArchivedEvents(client, writer);
      // A snapshot does not cover sequences: read after the rows, they are ahead of all ids in the rows.
      const { rows: sequences } = await client.query<{ name: string; value: string }>(
        `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
         WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
      );
      return {
        format: formatVersion,
        version: serviceVersion(),
        ...{ startedAt, finishedAt: await moment(client) },
        migrations: migrations.map(({ name }) => name),
        encryption: key.check === null ? null : { cipher: 'aes-256-gcm', keyCheck: key.check },
        ...{ previous, tables, archivedEvents, sequences },
      };
    },
    { snapshot: true },
  );

const moment = async (client: ClientBase): Promise<string> => {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return (rows[0]?.now ?? new Date()).toISOString();
};

/** The number of parts that may be packed and written at a time, while further rows are read. */
const partsAtOnce = 2;

const copyTable = async (
  client: ClientBase,
  table: CopiedTable,
  writer: PartWriter,
  partBytes: number,
): Promise<BackedUpTable> => {
  const writing: Promise<Part>[] = [];
  let [flow, open] = [null as Flow | null, 0];
  const cutter = new PartCutter(partBytes, (rows) => {
    open += 1;
    if (open >= partsAtOnce) flow?.pause();
    const name = `${table.name}.${String(writing.length + 1).padStart(6, '0')}`;
    const part = writer.write(name, rows);
    writing.push(part);
    part.then(
      () => {
        open -= 1;
        if (open < partsAtOnce) flow?.resume();
      },
      (error: unknown) => flow?.fail(error as Error),
    );
  });
  try {
    const rows = await copyTableOut(client, table, (piece, its) => {
      flow = its;
      cutter.add(piece);
    });
    cutter.end();
    return { ...table, rows, parts: await Promise.all(writing) };
  } catch (error) {
    // If a part could not be written, the connection was closed for that reason: throw that error instead.
    await Promise.all(writing);
    throw error;
  }
};
