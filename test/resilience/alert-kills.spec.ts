import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AlertDto, type BacktestDto } from '../../src/saved/alerts/alert.dto.js';
import { bootstrapFile, freePort, launch, removeDir, type RunningProcess, tempDir } from '../support/process.js';
import { terminate, untilReady } from '../support/process.js';
import { SmtpServer } from '../support/mail/smtp-server.js';
import { TestReceiver } from '../support/webhooks/receiver.js';

/** How often the process is killed while it decides intervals and tells of them. */
const kills = Number(process.env.KILLS ?? 4);
const hours = 150;
const alerts = Math.max(2, Math.ceil(kills / 4));
const hourMs = 3_600_000;

let dataDir: string;
let port: string;
let service: RunningProcess;
let receiver: TestReceiver;
let smtp: SmtpServer;
let headers: Record<string, string>;
let project: string;

const open = async (): Promise<void> => {
  service = await launch({
    ...{ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'error', NODE_ENV: 'test' },
    ...{ ALLOW_TEST_CLOCK: '1', WEBHOOK_ALLOW_PRIVATE: '1' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'alerts@example.test' },
  });
  await untilReady(service);
};

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  receiver = await TestReceiver.start();
  smtp = await SmtpServer.start({ startTls: 'absent' });
  await open();
  const { personal_api_key, project_id } = await bootstrapFile(dataDir);
  headers = { authorization: `Bearer ${personal_api_key}`, 'content-type': 'application/json' };
  project = `http://127.0.0.1:${port}/api/projects/${project_id}`;
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await Promise.all([receiver.stop(), smtp.stop()]);
  await removeDir(dataDir);
});

const call = async <T>(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<T> => {
  const answer = await fetch(project + path, {
    method,
    headers: { ...headers, ...more },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

/** Waits as long as they become more: how long that takes depends on the machine. */
const untilAll = async (counted: () => number, all: number): Promise<void> => {
  let [most, since] = [0, Date.now()];
  while (most < all && Date.now() - since < 60_000) {
    await sleep(100);
    if (counted() > most) [most, since] = [counted(), Date.now()];
  }
};

describe('alerts', () => {
  it(
    'tell of each breach once, under one id, however often the process is killed',
    async () => {
      // All hours have ended long enough ago.
      const start = Math.floor((Date.now() - 120_000) / hourMs) * hourMs - hours * hourMs;
      const counts = Array.from({ length: hours }, (_, nth) => (nth * 7 + 3) % 11);
      const lines = counts.flatMap((count, nth) =>
        Array.from({ length: count }, (_, n) => ({
          ...{ type: 'event', event: 'signed up', distinct_id: `u${n}` },
          timestamp: new Date(start + nth * hourMs + n * 1000).toISOString(),
        })),
      );
      const imported = await fetch(`${project}/import`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      expect(imported.status).toBe(200);
      const params = { events: [{ id: 'signed up' }], interval: 'hour' };
      const { id: insight } = await call<{ id: number }>('POST', '/insights', { question: { type: 'trends', params } });
      const me = (await (await fetch(`${new URL(project).origin}/api/users/@me`, { headers })).json()) as {
        id: number;
      };
      await call('POST', '/webhooks', { url: receiver.url, events: ['alert.fired', 'alert.resolved'] });
      // Each alert is made as if the service had been off since then: it decides all hours afterwards.
      const made = new Map<number, number>();
      for (let nth = 0; nth < alerts; nth += 1) {
        const upper = 3 + (nth % 6);
        const body = {
          ...{ insight, calculation_interval: 'hourly', subscribed_users: [me.id] },
          threshold: { configuration: { type: 'absolute', bounds: { upper } } },
        };
        const at = new Date(start).toISOString();
        made.set((await call<AlertDto>('POST', '/alerts', body, { 'x-test-now': at })).id, upper);
      }

      for (let kill = 0; kill < kills; kill += 1) {
        const before = receiver.messages.length;
        const end = Date.now() + 1500;
        while (receiver.messages.length < before + 5 && Date.now() < end) await sleep(5);
        await sleep((kill * 13) % 50);
        service.child.kill('SIGKILL');
        await service.exited;
        await open();
      }

      // The naive model: the first hour of each run of breaches, and the first one after it.
      const expected = [...made].flatMap(([alert, upper]) =>
        counts.flatMap((count, nth): string[] => {
          const [is, was] = [count > upper, (counts[nth - 1] ?? 0) > upper];
          return is === was ? [] : [`${alert} alert.${is ? 'fired' : 'resolved'} ${nth}`];
        }),
      );
      const told = () =>
        receiver.accepted.map(({ text }) => {
          const { type, data } = JSON.parse(text) as {
            type: string;
            data: { alert: { id: number }; interval: { start: string } };
          };
          return `${data.alert.id} ${type} ${(Date.parse(data.interval.start) - start) / hourMs}`;
        });
      await untilAll(() => told().length, expected.length);
      await sleep(1000);
      const ofAlert = (all: readonly string[], id: number) => all.filter((text) => text.startsWith(`${id} `));
      for (const id of made.keys()) expect(ofAlert(told(), id)).toEqual(ofAlert(expected, id));
      expect(told()).toHaveLength(expected.length);
      // The server may have a mail twice, under one id, if the process was killed before it had recorded that.
      await untilAll(() => smtp.ids.size, expected.length);
      const mailed = [...smtp.ids.values()].map(({ text }) => {
        const part = (shape: RegExp) => shape.exec(text)?.[1] ?? '';
        const from = Date.parse(`${part(/^From: (\d.*) \(UTC\)$/m)}Z`);
        const kind = part(/^Subject: (\w+)/m) === 'Fired' ? 'fired' : 'resolved';
        return `${part(/of alert (\d+)/)} alert.${kind} ${(from - start) / hourMs}`;
      });
      expect(mailed.sort()).toEqual([...expected].sort());
      for (const id of made.keys()) {
        const { checks } = await call<AlertDto>('GET', `/alerts/${id}?checks_limit=500`);
        const within = checks.filter(({ interval_start: at }) => Date.parse(at) >= start);
        expect(within.slice(-hours)).toHaveLength(hours);
        const { results } = await call<BacktestDto>('GET', `/alerts/${id}/backtest?days=7`);
        const known = new Map(results.map((result) => [result.interval_start, result.state]));
        for (const { interval_start, state } of checks) expect(known.get(interval_start) ?? 'none').toBe(state);
      }
    },
    600_000 + kills * 30_000,
  );
});
