import { type OpenAPIObject } from '@nestjs/swagger';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { Client } from 'pg';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { freshStores } from './fresh-stores.js';
import { serviceHandle, type MadeKey, type ServiceHandle } from './service-handle.js';
import { testSettings } from './test-settings.js';

interface Running {
  readonly pid: number;
  readonly url: string;
  readonly makerUrl: string;
  readonly databaseUrl: string;
}

/**
 * The built service, started once for each worker of jest, with a project and a user of this spec's own. Everything that
 * belongs to a project or a user is the spec's alone; settings, metrics and the load are not.
 */
export const sharedService = async (): Promise<ServiceHandle> => {
  const { url, makerUrl, databaseUrl } = await runningService();
  const make = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(makerUrl + path, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  };
  return serviceHandle({
    url,
    databaseUrl: new URL(databaseUrl),
    document: (await (await fetch(`${url}/openapi.json`)).json()) as OpenAPIObject,
    email: `ada-${randomUUID()}@example.test`,
    newKey: (key) => make<MadeKey>('/keys', key),
    newProject: (name) => make<ProjectDto>('/projects', { name }),
    stop: () => Promise.resolve(),
  });
};

/** An installation has at most 1,000 projects, and a spec file may make several hundred. */
const fewProjects = 500;

const hasRoom = async ({ databaseUrl }: Running): Promise<boolean> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>('SELECT count(*)::integer AS n FROM projects');
    return (rows[0]?.n ?? 0) < fewProjects;
  } finally {
    await client.end();
  }
};

/** The spec files of a worker run one after the other, so no two of them start a service at the same time. */
const runningService = async (): Promise<Running> => {
  const file = join(process.env.TEST_RUN_DIR ?? '', `service-${process.env.JEST_WORKER_ID}.json`);
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) {
    const running = JSON.parse(known) as Running;
    if (await hasRoom(running)) {
      // The specs before this one have ended.
      const answer = await fetch(`${running.makerUrl}/emptied`, { method: 'POST', body: '{}' });
      if (!answer.ok) throw new Error(await answer.text());
      return running;
    }
    process.kill(running.pid, 'SIGKILL');
  }
  const { env, databaseUrl } = await freshStores();
  const program = `require(${JSON.stringify(process.env.TEST_SHARED_SERVICE)}).script().then(({ serve }) => serve())`;
  // The service outlives the worker that starts it, so it can use none of the worker's streams. The run prints the log.
  const log = await open(file.replace('.json', '.log'), 'a');
  const child = spawn(process.execPath, ['--eval', program], {
    env: {
      PATH: process.env.PATH,
      TEST_RUN_PID: process.env.TEST_RUN_PID,
      ...testSettings,
      ...env,
    },
    stdio: ['ignore', log.fd, log.fd, 'pipe'],
  });
  await log.close();
  const urls = child.stdio[3] as Readable;
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The shared service ended with ${code}; the end of the run prints its log`)),
  );
  ended.catch(() => undefined);
  const [line] = (await Promise.race([once(createInterface(urls), 'line'), ended])) as [string];
  urls.destroy();
  child.unref();
  const { url, makerUrl } = JSON.parse(line) as Pick<Running, 'url' | 'makerUrl'>;
  const running = { pid: child.pid ?? 0, url, makerUrl, databaseUrl: databaseUrl.href };
  await writeFile(file, JSON.stringify(running));
  return running;
};
