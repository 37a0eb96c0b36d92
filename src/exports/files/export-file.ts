import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Chunk, type Walk } from './chunk.js';
import { type ExportFormat } from './formats.js';
import { exportKinds, type ExportKind } from '../kinds.js';

export interface FileExport {
  readonly records: number;
  readonly files: readonly string[];
}

interface Stores {
  readonly postgres: Postgres;
  /** Null if only NDJSON is written. */
  readonly clickhouse: ClickHouse | null;
}

/**
 * Writes all events or persons of a project into a file, packed with gzip if its name ends in `.gz`. Many records take several
 * Parquet files. A file gets its name when it is complete.
 */
export const exportFile = async (
  { postgres, clickhouse }: Stores,
  kind: ExportKind,
  format: ExportFormat,
  walk: Walk,
  path: string,
  onWritten: (records: number) => void,
): Promise<FileExport> => {
  let records = 0;
  const counted = async function* (chunks: AsyncIterable<Chunk>): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk.bytes;
      records += chunk.records;
      onWritten(records);
    }
  };
  const { lines, table } = exportKinds[kind];
  if (format === 'ndjson' || clickhouse === null) {
    await writeWhole(path, counted(lines(postgres, walk)));
    return { records, files: [path] };
  }
  const chunks = table({ postgres, clickhouse }, { id: walk.projectId }, walk, format);
  if (format === 'csv') {
    await writeWhole(path, counted(chunks));
    return { records, files: [path] };
  }
  const files: string[] = [];
  for await (const chunk of chunks) {
    // The previous file was full and the last one: then there are no more records.
    if (chunk.records === 0 && files.length > 0) break;
    const file = numberedFile(path, files.length + 1);
    await writeWhole(file, counted(only(chunk)));
    files.push(file);
  }
  return { records, files };
};

async function* only(chunk: Chunk): AsyncGenerator<Chunk> {
  yield await Promise.resolve(chunk);
}

/** Returns the name of a file: `events.parquet`, `events-2.parquet`, … */
export const numberedFile = (path: string, number: number): string => {
  const extension = extname(path);
  return number === 1 ? path : `${path.slice(0, path.length - extension.length)}-${number}${extension}`;
};

/** Writes a file that gets its name only when it is complete. */
export const writeWhole = async (path: string, chunks: AsyncIterable<string | Uint8Array>): Promise<void> => {
  const part = `${path}.part`;
  const packing = path.endsWith('.gz') ? [createGzip({ level: 4 })] : [];
  try {
    const file = createWriteStream(part, { mode: 0o600 });
    await pipeline([Readable.from(chunks, { highWaterMark: 1 }), ...packing, file]);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};
