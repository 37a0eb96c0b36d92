import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DashboardScheduleDto } from '../../src/saved/schedules/schedule.dto.js';
import { SmtpServer } from '../support/mail/smtp-server.js';
import { bootstrapFile, freePort, launch, removeDir, type RunningProcess, tempDir } from '../support/process.js';
import { terminate, untilReady } from '../support/process.js';
import { until } from '../support/until.js';
import { TestReceiver } from '../support/webhooks/receiver.js';

/** How often the process is killed while it sends dashboards. */
const kills = Number(process.env.KILLS ?? 4);
const boards = 4;
const schedulesOfBoard = 10;
const addresses = ['ada@example.test', 'bob@example.test', 'cy@example.test'];
const dayMs = 86_400_000;

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
    ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'boards@example.test' },
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

describe('dashboards', () => {
  it(
    'are sent once for each due time, under one id, however often the process is killed',
    async () => {
      await call('POST', '/webhooks', { url: receiver.url, events: ['dashboard.sent'] });
      const question = { type: 'trends', params: { events: [{ id: 'signed up' }] } };
      const { id: insight_id } = await call<{ id: number }>('POST', '/insights', { name: 'Sign-ups', question });
      // Each was made yesterday, and is due today.
      const now = new Date();
      const at = { 'x-test-now': new Date(now.getTime() - dayMs).toISOString() };
      const body = { addresses, webhooks: true, hour: now.getUTCHours() };
      const made: string[] = [];
      for (let nth = 0; nth < boards; nth += 1) {
        const { id } = await call<{ id: number }>('POST', '/dashboards', { name: `B${nth}`, tiles: [{ insight_id }] });
        for (let one = 0; one < schedulesOfBoard; one += 1)
          made.push((await call<DashboardScheduleDto>('POST', `/dashboards/${id}/schedules`, body, at)).id);
      }
      for (let kill = 0; kill < kills; kill += 1) {
        const before = smtp.mails.length;
        const end = Date.now() + 3000;
        while (smtp.mails.length < before + 5 && Date.now() < end) await sleep(5);
        await sleep((kill * 13) % 50);
        service.child.kill('SIGKILL');
        await service.exited;
        await open();
      }
      const told = () =>
        receiver.accepted.map(({ text }) => (JSON.parse(text) as { data: { schedule_id: string } }).data.schedule_id);
      const withinMs = 120_000;
      await until(() => smtp.ids.size >= made.length * addresses.length, { withinMs });
      await until(() => told().length >= made.length, { withinMs });
      await sleep(1000);
      expect(told().sort()).toEqual(made.sort());
      // The server may have a mail twice, under one id, if the process was killed before it had recorded that.
      const receivers = [...smtp.ids.values()].map(({ to }) => to);
      expect(receivers.sort()).toEqual(addresses.flatMap((address) => made.map(() => address)));
      expect(smtp.mails.length - smtp.ids.size).toBeLessThanOrEqual(kills);
      const { results } = await call<{ results: DashboardScheduleDto[] }>('GET', '/dashboards/1/schedules');
      for (const { waiting, problem } of results) expect([waiting, problem]).toEqual([0, null]);
    },
    600_000 + kills * 30_000,
  );
});
