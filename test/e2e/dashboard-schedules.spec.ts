import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { type DashboardScheduleDto } from '../../src/saved/schedules/schedule.dto.js';
import { ScheduleWorker } from '../../src/saved/schedules/schedule-worker.js';
import { importLines, personLine } from '../support/import.js';
import { testCertificate } from '../support/mail/certificate.js';
import { SmtpServer } from '../support/mail/smtp-server.js';
import { startTestService, type TestService } from '../support/service.js';
import { makeUser, openSession } from '../support/signed-in.js';
import { TestReceiver } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const hourMs = 3_600_000;
const monday = new Date('2026-03-02T07:30:00Z');
/** Nine o'clock in Berlin. */
const due = new Date('2026-03-02T08:00:00Z');
const after = (hours: number) => new Date(due.getTime() + hours * hourMs);

let server: SmtpServer;
let receiver: TestReceiver;
let service: TestService;
let worker: ScheduleWorker;
let of: WebhooksOf;
let board: number;

beforeAll(async () => {
  server = await SmtpServer.start();
  receiver = await TestReceiver.start();
  service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    ...{ MAIL_FROM: 'Kohort <boards@example.test>', PUBLIC_URL: 'https://kohort.example.test' },
    WEBHOOK_ALLOW_PRIVATE: '1',
  });
  service.app.get(Mailer).certificate = testCertificate;
  worker = service.app.get(ScheduleWorker);
  // Each test says when it works.
  await worker.worker.stop();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([server.stop(), receiver.stop()]);
});
beforeEach(async () => {
  of = new WebhooksOf(service, (await service.newProject('Shop')).id);
  await of.call('PATCH', '', { body: { timezone: 'Europe/Berlin' } });
  const at = (day: number) => ({ timestamp: `2026-02-${day}T12:00:00Z` });
  await importLines(service, of.projectId, [
    personLine('ada', { email: 'ada@secret.example' }),
    ...[19, 27, 28].map((day) => ({ type: 'event', event: 'paid', distinct_id: 'ada', ...at(day) })),
    { type: 'event', event: 'seen', distinct_id: 'ada', ...at(27) },
    { type: 'event', event: 'seen', distinct_id: 'bob', ...at(27) },
  ]);
  const week = { date_from: '2026-02-23', date_to: '2026-03-01' };
  const tiles = [
    await insight('Payments', 'trends', { events: [{ id: 'paid' }], compare: true, ...week }),
    await insight('By <mail>', 'trends', {
      ...{ events: [{ id: 'paid' }], breakdown: 'email', breakdown_type: 'person', ...week },
    }),
    await insight('Seen to paid', 'funnel', { events: [{ id: 'seen' }, { id: 'paid' }], ...week }),
    await insight('Table', 'sql', { query: 'select person.properties.email from events' }),
  ];
  board = await made('dashboards', {
    name: 'Week\r\nBcc: eve@example.test',
    tiles: [{ text: { body: 'Hello' } }, ...tiles.map((insight_id) => ({ insight_id }))],
  });
});
afterEach(async () => {
  server.rules = {};
  server.mails.length = 0;
  receiver.messages.length = 0;
  await service.pool.query('DELETE FROM dashboard_schedules');
});

const made = async (path: string, body: object): Promise<number> => {
  const answer = await of.call('POST', path, { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { id: number }).id;
};

const insight = (name: string, type: string, params: object) => made('insights', { name, question: { type, params } });

const path = () => `dashboards/${board}/schedules`;

const ask = (body: object, options: Parameters<WebhooksOf['call']>[2] = {}) =>
  of.call('POST', path(), { body: { hour: 9, ...body }, headers: { 'x-test-now': monday.toISOString() }, ...options });

const scheduled = async (body: object): Promise<DashboardScheduleDto> => {
  const answer = await ask(body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as DashboardScheduleDto;
};

/** All that is due at a moment is done. */
const work = async (now: Date) => {
  while ((await worker.round(now, new AbortController().signal)) !== null);
};

const shown = async (): Promise<DashboardScheduleDto | undefined> =>
  ((await of.call('GET', path())).body as { results: DashboardScheduleDto[] }).results[0];

const receivers = () => server.mails.map(({ to }) => to.replace(/@.*$/, ''));

const partsOf = (mail: string): string[] => {
  const boundary = /boundary="(.*)"/.exec(mail)?.[1] ?? '';
  return mail
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) =>
      part
        .replaceAll(/=\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    );
};

describe('a schedule of a dashboard', () => {
  it('sends its numbers once for each due time, with the change, and nothing of persons', async () => {
    const { id, created_by, created_at, ...rest } = await scheduled({
      addresses: ['grace@example.test', 'tim@example.test'],
    });
    expect(rest).toEqual({
      ...{ addresses: ['grace@example.test', 'tim@example.test'], webhooks: false, weekday: null, hour: 9 },
      ...{ next_at: due.toISOString(), last_sent_at: null, waiting: 0, problem: null },
    });
    await work(new Date(due.getTime() - 1));
    expect(server.mails).toEqual([]);
    await work(due);
    await work(after(1));
    expect(receivers()).toEqual(['grace', 'tim']);
    expect(server.ids.size).toBe(2);
    const [mail = ''] = server.mails.map(({ text }) => text);
    expect(mail).toMatch(/^Subject: Week Bcc: eve@example\.test$/m);
    expect(mail.split('\n\n')[0]).not.toMatch(/^bcc/im);
    const [text = '', html = ''] = partsOf(mail);
    expect(text.split('\n\n').slice(1).join('\n\n').trim()).toBe(
      [
        ...['Week Bcc: eve@example.test', 'Shop, 2026-03-02 09:00 (Europe/Berlin)', ''],
        ...['Payments', '  paid: 2 (+100%)', ''],
        ...['By <mail>', '  paid: 2', ''],
        ...['Seen to paid', '  1. seen: 2', '  2. paid: 1', '  Converted: 50%', ''],
        ...['Table', '  No single number: see the dashboard', ''],
        ...[`See it: https://kohort.example.test/p/${of.projectId}/dashboards/${board}`, ''],
        'You get this mail because someone scheduled this dashboard for your address.',
      ].join('\n'),
    );
    expect(html).toContain('By &#60;mail&#62;');
    expect(html).toContain('>+100%</td>');
    expect(html).not.toContain('<mail>');
    expect(mail).not.toContain('secret.example');
    expect(await shown()).toMatchObject({
      ...{ id, created_by, created_at, waiting: 0, problem: null },
      ...{ last_sent_at: due.toISOString(), next_at: after(24).toISOString() },
    });
    const { rows } = await service.pool.query('SELECT message, waiting FROM dashboard_schedules');
    expect(rows).toEqual([{ message: null, waiting: [] }]);
    await work(after(24));
    expect(receivers()).toHaveLength(4);
  });

  it('is weekly, and sends the last of several missed times', async () => {
    const { next_at } = await scheduled({ addresses: ['grace@example.test'], weekday: 'wednesday' });
    expect(next_at).toBe(after(48).toISOString());
    await work(after(48 + 24 * 15));
    expect(receivers()).toEqual(['grace']);
    expect(server.mails[0]?.text).toContain('2026-03-18 09:00');
    expect(await shown()).toMatchObject({ next_at: after(48 + 24 * 21).toISOString() });
  });

  it('is sent now when it is asked to, and at its due time all the same', async () => {
    const { id } = await scheduled({ addresses: ['grace@example.test'] });
    const headers = { 'Idempotency-Key': 'now', 'x-test-now': monday.toISOString() };
    const sendNow = () => of.call('POST', `${path()}/${id}/send`, { headers });
    const answer = await sendNow();
    expect([answer.status, answer.body]).toMatchObject([200, { id, next_at: monday.toISOString() }]);
    expect((await sendNow()).body).toEqual(answer.body);
    await work(monday);
    expect(receivers()).toEqual(['grace']);
    expect(await shown()).toMatchObject({ last_sent_at: monday.toISOString(), next_at: due.toISOString() });
    await work(due);
    expect(receivers()).toEqual(['grace', 'grace']);
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry).toMatchObject({ activity: 'sent now', detail: { changes: [] } });
    await service.pool.query('UPDATE dashboard_schedules SET next_attempt_at = NULL');
    const ended = await of.call('POST', `${path()}/${id}/send`);
    expect([ended.status, ended.body]).toMatchObject([409, { detail: expect.stringContaining('It has ended') }]);
    expect((await of.call('POST', `${path()}/${randomUUID()}/send`)).status).toBe(404);
  });

  it('tells webhooks, signed, that list dashboard.sent', async () => {
    const { secret } = await of.webhook({ url: receiver.url, events: ['dashboard.sent'] });
    receiver.secret = secret;
    await scheduled({ addresses: ['grace@example.test'], hour: 10 });
    const { id } = await scheduled({ webhooks: true });
    await work(after(2));
    const { data } = JSON.parse((await receiver.until(1))[0]?.text ?? '') as { data: object };
    expect(receiver.unverified).toEqual([]);
    expect(data).toMatchObject({
      ...{ project_id: of.projectId, dashboard_id: board, schedule_id: id, due_at: due.toISOString() },
      url: `https://kohort.example.test/p/${of.projectId}/dashboards/${board}`,
      tiles: [
        { name: 'Payments', numbers: [{ label: 'paid', value: 2, before: 1, unit: 'number' }] },
        { name: 'By <mail>', numbers: [{ label: 'paid', value: 2, before: null }] },
        { name: 'Seen to paid', numbers: [{ value: 2 }, { value: 1 }, { value: 50, unit: 'percent' }] },
        { name: 'Table', numbers: [] },
      ],
    });
    expect(receivers()).toEqual(['grace']);
    expect(receiver.messages).toHaveLength(1);
  });

  it('shows why a mail did not arrive, tries again for a day, and keeps other addresses free of it', async () => {
    await scheduled({ addresses: ['grace@example.test', 'full@example.test', 'unknown@example.test'] });
    server.rules = {
      reply: (line) => (/^RCPT.*full/.test(line) ? '452 full' : /^RCPT.*unk/.test(line) ? '550 no' : null),
    };
    await work(due);
    expect(receivers()).toEqual(['grace']);
    expect(await shown()).toMatchObject({
      ...{ waiting: 2, last_sent_at: due.toISOString() },
      problem: {
        detail:
          'full@example.test: the mail was not taken; unknown@example.test: the mail server does not know this address',
      },
    });
    server.rules = { reply: (line) => (/^RCPT.*unk/.test(line) ? '550 no' : null) };
    await work(due);
    expect(receivers()).toEqual(['grace']);
    await work(after(1));
    expect(receivers()).toEqual(['grace', 'full']);
    expect(await shown()).toMatchObject({
      ...{ waiting: 0, next_at: after(24).toISOString() },
      problem: { detail: 'unknown@example.test: the mail server does not know this address' },
    });
    server.rules = {};
    await work(after(24));
    expect(await shown()).toMatchObject({ problem: null });
  });

  it('sends to no address again after an unexpected fault at another one', async () => {
    await scheduled({ addresses: ['grace@example.test', 'ada@example.test'] });
    const mailer = service.app.get(Mailer);
    const send = mailer.send.bind(mailer);
    const faulty = jest.spyOn(mailer, 'send').mockImplementation((mail, stopping) => {
      if (mail.to.startsWith('ada')) throw new Error('a defect');
      return send(mail, stopping);
    });
    await work(due).finally(() => faulty.mockRestore());
    expect(receivers()).toEqual(['grace']);
    expect(await shown()).toMatchObject({ waiting: 1, last_sent_at: due.toISOString() });
    await work(after(1));
    expect(receivers()).toEqual(['grace', 'ada']);
  });

  it('waits for a mail server that is away, and gives up after a day', async () => {
    await scheduled({ addresses: ['grace@example.test'], weekday: 'monday' });
    const { port } = server;
    await server.stop();
    for (let hour = 0; hour < 24; hour++) await work(after(hour));
    expect(await shown()).toMatchObject({ waiting: 1, problem: { detail: expect.stringContaining('SMTP_URL') } });
    await work(after(26));
    expect(await shown()).toMatchObject({
      ...{ waiting: 0, last_sent_at: null, next_at: after(24 * 7).toISOString() },
      problem: { detail: expect.stringContaining('Given up: the server of SMTP_URL') },
    });
    server = await SmtpServer.start({}, port);
    await work(after(27));
    expect(server.mails).toEqual([]);
  });

  it('ends with the access of its maker and says so, sends nothing while the project forbids links', async () => {
    const user = await makeUser(service, { roles: { [of.projectId]: 'member' } });
    const browser = await openSession(service, user);
    const mine = { hour: 9, addresses: ['grace@example.test'] };
    const headers = { 'x-test-now': monday.toISOString() };
    const answer = await browser.call('POST', `/api/projects/${of.projectId}/${path()}`, { body: mine, headers });
    expect(answer.status).toBe(201);
    await of.call('PATCH', '', { body: { dashboard_links_forbidden: true } });
    await work(due);
    expect(await shown()).toMatchObject({ problem: { detail: expect.stringContaining('without an account') } });
    expect(await ask({ addresses: ['grace@example.test'] })).toMatchObject({ status: 409 });
    await of.call('PATCH', '', { body: { dashboard_links_forbidden: false } });
    await of.call('PATCH', `members/${user.id}`, { body: { role: 'viewer' } });
    await work(after(24));
    expect(await shown()).toMatchObject({ next_at: null, problem: { detail: expect.stringContaining('ended') } });
    await of.call('PATCH', `members/${user.id}`, { body: { role: 'member' } });
    await work(after(48));
    expect(server.mails).toEqual([]);
    const [entry] = await of.activity('activity', { scope: 'Dashboard', limit: 1 });
    expect(entry).toMatchObject({ activity: 'schedule ended', user: { is_system: true } });
    const viewer = await openSession(service, await makeUser(service, { roles: { [of.projectId]: 'viewer' } }));
    expect((await viewer.call('POST', `/api/projects/${of.projectId}/${path()}`, { body: mine })).status).toBe(403);
    expect((await viewer.call('GET', `/api/projects/${of.projectId}/${path()}`, {})).status).toBe(200);
  });

  it('ends with the key that made it, and gives no more than the key has', async () => {
    const key = await service.newKey({ scopes: ['dashboard:write', 'person:read'] });
    expect((await ask({ webhooks: true }, { key: key.text })).status).toBe(201);
    expect((await service.call('DELETE', `/api/personal_api_keys/${key.id}`)).status).toBe(204);
    await work(due);
    expect(await shown()).toMatchObject({ next_at: null });
    const weak = await service.newKey({ scopes: ['dashboard:write'] });
    expect((await ask({ webhooks: true }, { key: weak.text })).status).toBe(403);
    const short = await service.newKey({ expiresAt: new Date(Date.now() + hourMs) });
    expect((await ask({ webhooks: true }, { key: short.text, headers: {} })).status).toBe(403);
  });

  it('is logged without addresses, removed, gone with its dashboard, made once for a key and ten times at most', async () => {
    const headers = { 'Idempotency-Key': 'once', 'x-test-now': monday.toISOString() };
    const one = (await ask({ addresses: ['grace@example.test'] }, { headers })).body as DashboardScheduleDto;
    expect((await ask({ addresses: ['grace@example.test'] }, { headers })).body).toEqual(one);
    expect((await of.call('DELETE', `${path()}/${one.id}`)).status).toBe(204);
    expect((await of.call('DELETE', `${path()}/${one.id}`)).status).toBe(404);
    const entries = await of.activity('activity', { scope: 'Dashboard', limit: 2 });
    expect(entries.map(({ activity, detail }) => [activity, detail.changes])).toMatchObject([
      ['schedule removed', [{ field: 'schedule', before: { id: one.id }, after: null }]],
      [
        'scheduled',
        [{ field: 'schedule', after: { id: one.id, addresses: 1, webhooks: false, weekday: null, hour: 9 } }],
      ],
    ]);
    for (let nth = 0; nth < 10; nth++) await scheduled({ webhooks: true });
    expect((await ask({ webhooks: true })).status).toBe(409);
    await of.call('DELETE', `dashboards/${board}`);
    await work(due);
    const { rowCount } = await service.pool.query('SELECT FROM dashboard_schedules');
    expect(rowCount).toBe(0);
  });

  it.each([
    [{}, 'addresses must have an e-mail address, unless webhooks is true', 'addresses'],
    [
      { addresses: ['a b@example.test'] },
      'addresses must each be an e-mail address such as ada@example.com',
      'addresses',
    ],
    [{ addresses: ['a@example.test', 'a@example.test'] }, 'addresses must name each address once', 'addresses'],
    [{ webhooks: true, hour: 24 }, 'hour must be an integer from 0 to 23', 'hour'],
    [{ webhooks: true, hour: undefined }, 'hour is required', 'hour'],
    [{ webhooks: true, weekday: 'someday' }, /weekday must be one of monday, /, 'weekday'],
  ])('refuses %j', async (body, detail, attr) => {
    const answer = await ask(body);
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { attr, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
    ]);
  });
});
