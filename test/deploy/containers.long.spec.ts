import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { TestReceiver, verify } from '../support/webhooks/receiver.js';
import { ComposeStack } from './compose-stack.js';
import { makeImage, makeStandIns } from './images.js';
import { attempt, canRunContainers, podman, ulimits } from './podman.js';

// Needs root, and Debian's podman, runc, iptables, netavark, aardvark-dns, mmdebstrap and gcc. It needs no registry of images.

interface Made {
  readonly project_id: number;
  readonly project_token: string;
  readonly personal_api_key: string;
}

/** A project of one service, seen over HTTP. */
class Client {
  constructor(
    private readonly url: string,
    private readonly made: Made,
  ) {}

  async capture(...events: readonly object[]): Promise<unknown> {
    return this.send('POST', '/batch', { api_key: this.made.project_token, batch: events });
  }

  async ask<T>(path: string, method = 'GET', body?: object): Promise<T> {
    return (await this.send(method, `/api/projects/${this.made.project_id}/${path}`, body)) as T;
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.made.personal_api_key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
}

const cliOf = ['kohort'];
const bootstrap = ['bootstrap', '--email', 'ada@example.test', '--project', 'Shop', '--json'];
const paid = encodeURIComponent(JSON.stringify([{ id: 'paid' }]));

(canRunContainers ? describe : describe.skip)('the image', () => {
  beforeAll(makeStandIns, 900_000);

  describe('in compose.yaml', () => {
    const passwords = { POSTGRES_PASSWORD: 'a@b:c/d?e#f%41', CLICKHOUSE_PASSWORD: 'g@h:i/j?k#l%42' };
    let stack: ComposeStack;
    let receiver: TestReceiver;
    let client: Client;

    beforeAll(async () => {
      stack = await ComposeStack.make(passwords, { WEBHOOK_ALLOW_PRIVATE: '1', SHUTDOWN_DELAY_MS: '1000' });
      for (const service of ['postgres', 'clickhouse', 'migrate', 'api', 'worker']) await stack.start(service);
    }, 1_800_000);
    afterAll(async () => {
      await receiver?.stop();
      await stack?.remove();
    }, 120_000);

    it('migrates, and each container of the API and the worker becomes healthy', async () => {
      expect(await stack.exitCode(stack.of('migrate')[0] ?? '')).toBe('0');
      for (const service of ['api', 'worker']) await stack.untilHealthy(service);
    });

    it('takes an event in and answers a question about it, on every process', async () => {
      const [first = '', ...others] = await stack.urls('api');
      const made = JSON.parse(await podman('exec', stack.of('api')[0] ?? '', ...cliOf, ...bootstrap)) as Made;
      client = new Client(first, made);
      expect(await client.capture({ event: 'paid', distinct_id: 'ada' })).toMatchObject({ accepted: 1 });
      for (const each of [first, ...others]) {
        const of = new Client(each, made);
        const trends = `persons/trends?include=insight&events=${paid}`;
        const count = async () =>
          (await of.ask<{ insight: { series: { count: number }[] } }>(trends)).insight.series[0]?.count;
        await until(async () => (await count()) === 1);
      }
    });

    it('sends webhooks from the worker to a receiver outside of the network of the stores, which reach nothing there', async () => {
      const host = await stack.gatewayOf('outside');
      receiver = await TestReceiver.start(0, host);
      const cohort = await client.ask<{ id: number }>('cohorts', 'POST', {
        name: 'List',
        is_static: true,
        distinct_ids: [],
      });
      const { secret } = await client.ask<{ secret: string }>('webhooks', 'POST', {
        url: receiver.url,
        cohorts: [cohort.id],
      });
      const added = { distinct_ids: ['ada'] };
      await client.ask(`cohorts/${cohort.id}/add_persons_to_static_cohort`, 'PATCH', added);
      const [message] = await receiver.until(1);
      expect(message && verify(secret, message)).toMatchObject({
        type: 'cohort.changed',
        data: { cohort: { name: 'List' } },
      });
      const connections = receiver.connections;
      const inner = await attempt(
        'exec',
        stack.of('clickhouse')[0] ?? '',
        'wget',
        '--timeout',
        '3',
        '--tries',
        '1',
        receiver.url,
      );
      expect(inner).toEqual({ code: expect.any(Number), says: expect.stringMatching(/unreachable/) });
      expect(receiver.connections).toBe(connections);
    });

    it('writes to nothing but its volume and memory, without root and capabilities', async () => {
      const api = stack.of('api')[0] ?? '';
      const inside = (script: string) => attempt('exec', api, 'sh', '-c', script);
      expect((await inside('touch /app/bin/kohort.mjs')).says).toMatch(/Permission denied|Read-only file system/);
      expect((await attempt('exec', '--user', '0', api, 'touch', '/app/new')).says).toContain('Read-only file system');
      expect((await inside('id -u; grep -E "NoNewPrivs|CapEff" /proc/1/status; touch /tmp/a')).says).toBe(
        '10001\nCapEff:\t0000000000000000\nNoNewPrivs:\t1',
      );
    });

    it('makes backups in the volume that all its containers share', async () => {
      const folder = '/var/lib/kohort/backups/first';
      await podman('exec', stack.of('worker')[0] ?? '', ...cliOf, 'backup', '--to', folder);
      expect(await podman('exec', stack.of('api')[0] ?? '', 'ls', folder)).toContain('manifest.json');
    });

    it('ends within its time when it is told to', async () => {
      for (const container of [...stack.of('api'), ...stack.of('worker')]) {
        const begun = performance.now();
        await podman('stop', container);
        expect([container, await stack.exitCode(container)]).toEqual([container, '0']);
        expect(performance.now() - begun).toBeLessThan(30_000);
      }
    });
  });

  describe('with embedded stores and 768 MiB', () => {
    const name = `kohort-embedded-${process.pid}`;
    const events = 100_000;

    beforeAll(async () => {
      await makeImage('kohort', {});
      const limits = ['--memory', '768m', '--memory-swap', '768m', ...ulimits()];
      await podman('run', '--detach', '--name', name, ...limits, '--publish', '127.0.0.1::3000', 'kohort');
    }, 1_800_000);
    afterAll(() => podman('rm', '--force', '--ignore', '--volumes', name));

    it(`ships ${events} events that a command writes at once`, async () => {
      const inside = (...words: readonly string[]) => podman('exec', name, ...cliOf, ...words);
      const url = `http://${await podman('port', name, '3000')}`;
      await until(async () => (await fetch(`${url}/_readyz`).catch(() => null))?.ok ?? false, { withinMs: 120_000 });
      const client = new Client(url, JSON.parse(await inside(...bootstrap)) as Made);
      await inside('seed', '--events', String(events));
      const hasAll = async () => {
        const asked = client.ask<{ results: number[][] }>('query', 'POST', { query: 'select count() from events' });
        return (await asked.catch(() => null))?.results[0]?.[0] === events;
      };
      await until(hasAll, { withinMs: 120_000, everyMs: 500 });
      const [state] = JSON.parse(await podman('inspect', name)) as {
        State: { Running: boolean; OOMKilled: boolean };
      }[];
      expect(state?.State).toMatchObject({ Running: true, OOMKilled: false });
    });
  });
});
