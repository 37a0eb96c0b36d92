import { put } from '../../platform/values/json.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Chunk, type Walk } from '../files/chunk.js';
import { furtherIdsSql, idsInLine, largePropertiesBytes, personLinesSql } from '../files/lines.sql.js';
import { type LinesRow, type ReadWindow, walkInChunks } from '../files/walk.js';

interface PersonLines extends LinesRow {
  /** The persons with more distinct ids than fit into a line. */
  readonly many: readonly string[];
}

const rowsOfRead = { first: 500, most: 4000 };
const nothing: PersonLines = { lines: null, records: 0, taken: 0, last: null, many: [] };

interface PersonLine {
  readonly id: number;
  readonly distinct_ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Yields persons as lines that an import accepts, in the order of their ids. A line has at most a hundred distinct ids, and as
 * many properties as an import accepts in one line. Everything else of a person comes in earlier lines without `id`, so a client
 * that continues after the last `id` misses nothing.
 */
export async function* personLines(postgres: Postgres, walk: Walk): AsyncGenerator<Chunk> {
  let many: readonly string[] = [];
  const read = async (window: ReadWindow): Promise<PersonLines> => {
    const { rows } = await postgres.query<PersonLines>(personLinesSql(walk, window));
    return rows[0] ?? nothing;
  };
  const chunks = walkInChunks(read, walk, rowsOfRead, ({ lines, records, many: withMore }) => {
    many = withMore;
    if (lines === null) return null;
    return `${records === 1 && lines.length >= largePropertiesBytes ? divided(lines) : lines}\n`;
  });
  for await (const chunk of chunks) {
    for (const id of many) yield* furtherIds(postgres, walk.projectId, id);
    yield chunk;
  }
}

interface FurtherId {
  readonly distinct_id: string;
  readonly position: string;
  readonly created_at: string;
  readonly is_identified: boolean;
  readonly first_id: string;
}

const idsAtOnce = 2000;

async function* furtherIds(postgres: Postgres, projectId: number, personId: string): AsyncGenerator<Chunk> {
  for (let after: string | null | undefined = null; after !== undefined;) {
    const { rows }: { rows: FurtherId[] } = await postgres.query<FurtherId>(
      furtherIdsSql(projectId, personId, after, idsAtOnce),
    );
    const lines: string[] = [];
    for (let from = 0; from < rows.length; from += idsInLine - 1) {
      lines.push(lineOf(rows.slice(from, from + idsInLine - 1)));
    }
    if (lines.length > 0) yield { bytes: `${lines.join('\n')}\n`, records: 0, last: null, hasMore: true };
    after = rows.length < idsAtOnce ? undefined : rows.at(-1)?.position;
  }
}

const lineOf = (ids: readonly FurtherId[]): string => {
  const [{ first_id, created_at, is_identified } = { first_id: '', created_at: '', is_identified: false }] = ids;
  const distinct_ids = [first_id, ...ids.map(({ distinct_id }) => distinct_id)];
  return JSON.stringify({ type: 'person', distinct_ids, created_at, is_identified, properties: {} });
};

/** Fewer values than an import accepts in one line, which is ten thousand. */
const valuesInLine = 5000;
const bytesInLine = 512 * 1024;

/**
 * Divides a person with very many properties into several lines, from which an import makes one person. The last line has its
 * `id`.
 */
const divided = (text: string): string => {
  const line = JSON.parse(text) as PersonLine;
  const parts: Record<string, unknown>[] = [{}];
  let [values, bytes] = [0, 0];
  for (const [key, value] of Object.entries(line.properties)) {
    const [more, length] = [valuesOf(value), JSON.stringify(value).length + key.length];
    if (values > 0 && (values + more > valuesInLine || bytes + length > bytesInLine)) {
      parts.push({});
      [values, bytes] = [0, 0];
    }
    put(parts.at(-1) ?? {}, key, value);
    values += more;
    bytes += length;
  }
  const { id, ...withoutId } = line;
  return parts
    .map((properties, at) => JSON.stringify({ ...withoutId, ...(at === parts.length - 1 && { id }), properties }))
    .join('\n');
};

const valuesOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  let values = 1;
  for (const inner of Object.values(value)) values += valuesOf(inner);
  return values;
};
