import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectDto } from '../../../src/projects/project.dto.js';
import { CohortsOf } from '../../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../../support/service-handle.js';
import { captured } from '../../query/questions/scene.js';

/** Fills a project with a text that no answer to another project may hold: everywhere a caller can put one. */
export const plantCanary = async (service: ServiceHandle, project: ProjectDto): Promise<string> => {
  const canary = `canary${randomUUID().replaceAll('-', '')}`;
  const event = {
    event: canary,
    distinct_id: `${canary} ada`,
    timestamp: '2024-03-01T10:00:00Z',
    properties: { [canary]: canary, $pathname: `/${canary}`, $os: canary, plan: canary },
    $set: { email: `${canary}@example.test`, [`${canary} key`]: canary },
  };
  await captured(service, project, [event, { ...event, event: 'purchased' }, { ...event, event: '$pageview' }]);
  const cohorts = new CohortsOf(service, project.id);
  await cohorts.create({ name: canary, description: canary, is_static: true, distinct_ids: [event.distinct_id] });
  await cohorts.call('POST', 'actions', { body: { name: canary, steps: [{ event: canary }] } });
  return canary;
};

/** A folder with a file that nothing may read and beside which nothing may be written, and a server that nothing may call. */
export interface Bait {
  /** Also what the file holds. */
  readonly text: string;
  /** The corpus names other files and addresses: these are put in their place. */
  baited(question: string): string;
  /** What has happened to it; empty if nothing has. */
  taken(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const longAgo = new Date('2020-01-01T00:00:00Z');

export const layBait = async (): Promise<Bait> => {
  const folder = await mkdtemp(join(tmpdir(), 'kohort-bait-'));
  const file = join(folder, 'bait.csv');
  const text = `bait${randomUUID().replaceAll('-', '')}`;
  await writeFile(file, `${text},1\n`);
  await utimes(file, longAgo, longAgo);
  const called: string[] = [];
  const server: Server = createServer((request, response) => {
    called.push(`called ${request.url}`);
    response.end(`${text}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    text,
    baited: (question) =>
      question
        .replaceAll('/etc/passwd', file)
        .replaceAll('/tmp/kohort-out', join(folder, 'out'))
        .replaceAll('http://127.0.0.1:1/', address),
    taken: async () => {
      const { atimeMs, mtimeMs } = await stat(file);
      const names = await readdir(folder);
      return [
        ...called,
        ...names.filter((name) => name !== 'bait.csv').map((name) => `wrote ${name}`),
        ...(atimeMs === longAgo.getTime() ? [] : ['read the file']),
        ...(mtimeMs === longAgo.getTime() && (await readFile(file, 'utf8')) === `${text},1\n`
          ? []
          : ['wrote the file']),
      ];
    },
    remove: async () => {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
};
