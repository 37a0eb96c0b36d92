import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MemoryGroup } from '../support/memory-group.js';
import {
  bootstrapFile,
  commandLine,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type BootstrapFile,
  type RunningProcess,
} from '../support/process.js';
import { until } from '../support/until.js';

/** The smallest size that the guides promise. */
const containerMiB = 768;
const events = 100_000;

/** As `docker exec` does it: what runs beside the service takes memory of the same container. */
const runIn = async (group: MemoryGroup, env: Record<string, string>, args: readonly string[]): Promise<void> => {
  const [program, words, options] = commandLine(env, args);
  const [starter = '', ...rest] = group.starter;
  const [code] = (await once(spawn(starter, [...rest, program, ...words], options), 'exit')) as [number];
  expect([args, code]).toEqual([args, 0]);
};

(MemoryGroup.canBeMade ? describe : describe.skip)(`a container of ${containerMiB} MiB`, () => {
  let dir: string;
  let group: MemoryGroup;
  let service: RunningProcess;
  let made: BootstrapFile;

  beforeAll(async () => {
    dir = await tempDir();
    group = MemoryGroup.withMiB(containerMiB);
    service = await launch({ DATA_DIR: dir }, [], group.starter);
    await untilReady(service);
    made = await bootstrapFile(dir);
  });
  afterAll(async () => {
    await terminate(service);
    group.remove();
    await removeDir(dir);
  });

  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${service.url}/api/projects/${made.project_id}/${path}`, {
      headers: { authorization: `Bearer ${made.personal_api_key}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it(`ships ${events} events that a command writes at once, and answers questions about them`, async () => {
    await runIn(group, { DATA_DIR: dir }, ['seed', '--events', String(events)]);
    const hasAll = async () => {
      const { status, text } = await ask('query', { query: 'select count() from events' });
      return status === 200 && (JSON.parse(text) as { results: number[][] }).results[0]?.[0] === events;
    };
    await until(hasAll, { withinMs: 90_000, everyMs: 500 });
    const pageviews = encodeURIComponent(JSON.stringify([{ id: '$pageview' }]));
    for (const path of [
      `persons/trends?date_from=-30d&events=${pageviews}`,
      `persons/trends?date_from=-30d&events=${pageviews}&breakdown=$browser`,
      'persons/lifecycle?include=insight&date_from=-30d',
      'persons/retention?include=insight',
      `persons/stickiness?include=insight&date_from=-30d&events=${pageviews}`,
      'persons/path?include=insight&date_from=-30d',
    ]) {
      const { status, text } = await ask(path);
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
    }
    expect(service.output()).not.toMatch(/memory limit exceeded/i);
    expect(service.child.exitCode).toBeNull();
  }, 180_000);
});
