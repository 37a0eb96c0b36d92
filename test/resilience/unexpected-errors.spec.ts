import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import {
  bootstrapFile,
  removeDir,
  start,
  tempDir,
  terminate,
  untilReady,
  type RunningProcess,
} from '../support/process.js';
import { until } from '../support/until.js';

let dataDir: string;
let service: RunningProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  dataDir = await tempDir();
  const NODE_OPTIONS = `--import ${resolve('test/support/fail-on-signal.mjs')}`;
  service = await start({ DATA_DIR: dataDir, NODE_OPTIONS });
  headers = { authorization: `Bearer ${(await bootstrapFile(dataDir)).personal_api_key}` };
});
afterAll(async () => {
  await terminate(service);
  await removeDir(dataDir);
});

const answers = async (): Promise<number> => (await fetch(`${service.url}/api/projects`, { headers })).status;

const metric = async (kind: string): Promise<string> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return [...text.matchAll(/kohort_unexpected_errors_total\{kind="(\w+)"\} (\d+)/g)]
    .filter(([, name]) => name === kind)
    .map(([, , total]) => total ?? '')
    .join();
};

describe('an error that no code catches', () => {
  it('is logged and counted when it is a rejected promise, and the service goes on', async () => {
    process.kill(service.pid, 'SIGPIPE');
    await until(() => service.output().includes('a rejected promise was not handled'));
    expect(await answers()).toBe(200);
    expect(await metric('unhandled_rejection')).toBe('1');
  });

  it('restarts the service in order when it is an exception, in the same process and with the same data', async () => {
    process.kill(service.pid, 'SIGUSR2');
    await until(() => service.output().includes('the service has restarted'), { withinMs: 40_000 });
    await untilReady(service);
    expect(service.output()).toContain('an exception was not caught');
    expect(await answers()).toBe(200);
    expect(await metric('uncaught_exception')).toBe('1');
    expect(service.child.exitCode).toBeNull();
  });

  it('ends the process when it happens again and again, so that whatever runs the container decides', async () => {
    for (let restarts = 2; restarts <= 5; restarts += 1) {
      process.kill(service.pid, 'SIGUSR2');
      await until(() => service.output().split('the service has restarted').length === restarts + 1, {
        withinMs: 40_000,
      });
    }
    process.kill(service.pid, 'SIGUSR2');
    expect((await service.exited).code).toBe(1);
  });
});
