import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceHandle } from './service-handle.js';

export type Kind = 'events' | 'persons' | 'groups';

export interface Exported {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** A file that a project sends. */
export const exported = async (
  service: ServiceHandle,
  projectId: number,
  kind: Kind,
  query: Readonly<Record<string, string | number>> = {},
): Promise<Exported> => {
  const url = new URL(`/api/projects/${projectId}/export/${kind}`, service.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const answer = await fetch(url, { headers: { authorization: `Bearer ${service.key}` } });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

export type Line = Readonly<Record<string, unknown>> & {
  readonly id?: number;
  readonly uuid: string;
  readonly distinct_ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
};

export const exportedLines = async (...of: Parameters<typeof exported>): Promise<Line[]> => {
  const { status, bytes } = await exported(...of);
  if (status !== 200) throw new Error(`${status}: ${bytes.toString('utf8')}`);
  return linesOf(bytes);
};

export const linesOf = (bytes: Buffer): Line[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** What was exported goes into another project; every line must be taken. */
export const importBytes = async (service: ServiceHandle, projectId: number, bytes: Buffer): Promise<object> => {
  const answer = await fetch(`${service.url}/api/projects/${projectId}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
    body: new Uint8Array(bytes),
  });
  const reply = (await answer.json()) as { rejected: object[] };
  if (answer.status !== 200 || reply.rejected.length > 0) throw new Error(JSON.stringify(reply).slice(0, 2000));
  return reply;
};

const reader = `
  const { query } = require('chdb');
  const sql = "SELECT * FROM file('" + process.argv[1] + "', Parquet) SETTINGS date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0";
  process.stdout.write(query(sql, 'JSONEachRow'));
`;

/** The rows of a file of Parquet as ClickHouse reads them, in a process of its own. */
export const readParquet = async (bytes: Buffer): Promise<Record<string, unknown>[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'kohort-parquet-'));
  try {
    const file = join(folder, 'file.parquet');
    await writeFile(file, bytes);
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', reader, file], { maxBuffer: 64 * 1024 ** 2 });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
