import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { engineOf, removeDir, start, tempDir, type RunningProcess } from '../../support/process.js';

/** What the process has open: files by path, sockets by their number. */
const opened = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      // Closed meanwhile.
      return [];
    }
  });

/** The files whose content is part of the memory of the process. */
const mapped = (pid: number): readonly string[] => [
  ...new Set(
    readFileSync(`/proc/${pid}/maps`, 'utf8')
      .split('\n')
      .flatMap((line) => /(\/.*)$/.exec(line)?.[1] ?? []),
  ),
];

interface Connection {
  readonly port: number;
  readonly remote: string;
  readonly isListening: boolean;
}

/** TCP sockets of the process, of both versions of IP. */
const connectionsOf = (pid: number): readonly Connection[] => {
  const own = new Set(opened(pid).flatMap((path) => /^socket:\[(\d+)\]$/.exec(path)?.[1] ?? []));
  return ['tcp', 'tcp6'].flatMap((version) =>
    readFileSync(`/proc/${pid}/net/${version}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => own.has(fields[9] ?? ''))
      .map(([, local = '', remote = '', state]) => ({
        port: parseInt(local.split(':')[1] ?? '', 16),
        remote,
        isListening: state === '0A',
      })),
  );
};

describe('what the embedded engine opens by itself', () => {
  let service: RunningProcess;
  let engine: number;
  let folder: string;

  beforeAll(async () => {
    folder = await tempDir();
    service = await start({ DATA_DIR: folder });
    const { project_token, personal_api_key } = JSON.parse(
      readFileSync(join(folder, 'bootstrap.json'), 'utf8'),
    ) as Record<string, string>;
    const captured = await fetch(`${service.url}/batch`, {
      method: 'POST',
      body: JSON.stringify({ api_key: project_token, event: 'seen', distinct_id: 'ada' }),
    });
    expect(captured.status).toBe(200);
    const answer = await fetch(`${service.url}/api/projects/1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${personal_api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'select event, count() from events group by event' }),
    });
    expect(await answer.json()).toMatchObject({ results: [['seen', 1]] });
    engine = engineOf(service);
  });

  afterAll(async () => {
    service.child.kill('SIGTERM');
    await service.exited;
    await removeDir(folder);
  });

  it('is its folder, libraries, and what the system says about the machine', () => {
    const root = process.cwd();
    const allowed = [
      folder,
      join(root, 'node_modules'),
      join(root, 'dist'),
      '/proc',
      '/sys',
      '/dev',
      '/usr',
      '/lib',
      '/lib64',
    ];
    const paths = [service.pid, engine].flatMap((pid) => [
      ...opened(pid).filter((path) => path.startsWith('/')),
      ...mapped(pid),
    ]);
    expect(mapped(service.pid).filter((path) => path.endsWith('/libchdb.so'))).toEqual([]);
    expect(paths.some((path) => path.startsWith(join(folder, 'clickhouse')))).toBe(true);
    expect(paths.some((path) => path.endsWith('/libchdb.so'))).toBe(true);
    const program = [process.execPath, readlinkSync(`/proc/${service.pid}/exe`)];
    const others = paths.filter(
      (path) => !program.includes(path) && !allowed.some((place) => path === place || path.startsWith(`${place}/`)),
    );
    expect(others).toEqual([]);
  });

  it('is one port for the service and no connection: those of the service are the API, PostgreSQL and the engine', async () => {
    // Connections of the requests above.
    await fetch(`${service.url}/_livez`, { headers: { connection: 'close' } });
    const api = Number(new URL(service.url).port);
    const connections = connectionsOf(service.pid);
    expect(connections.filter(({ isListening }) => isListening).map(({ port }) => port)).toEqual([api]);
    const ofEngine = connectionsOf(engine);
    const [entrance, ...others] = ofEngine.filter(({ isListening }) => isListening).map(({ port }) => port);
    expect(others).toEqual([]);
    expect(ofEngine.filter(({ port }) => port !== entrance)).toEqual([]);
    const [, , , postgres] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const hex = (port: number | undefined) => `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
    const known = [hex(Number(postgres)), hex(entrance)];
    const outgoing = connections.filter(({ isListening, port }) => !isListening && port !== api);
    expect(outgoing.filter(({ remote }) => !known.some((each) => remote.endsWith(each)))).toEqual([]);
  });
});
