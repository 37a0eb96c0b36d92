import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sender } from '../../src/webhooks/deliveries/sender.js';
import { LOGGER, type Logger } from '../../src/platform/telemetry/logger.js';
import { importLines } from '../support/import.js';
import { sharedService } from '../support/shared-service.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { type ReceivedMessage, TestReceiver, verify } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

let service: TestService;
let of: WebhooksOf;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
});
afterAll(() => service.stop());

beforeEach(async () => {
  of = await new WebhooksOf(service, (await service.newProject()).id).withPersons(6);
  receiver = await TestReceiver.start();
});
afterEach(() => receiver.stop());

/** The numbers of changes in each message about a cohort. */
const sizes = (messages: readonly ReceivedMessage[]) => messages.map(({ body }) => body.data.changes.length);
const changesIn = (messages: readonly ReceivedMessage[]) => messages.flatMap(({ body }) => body.data.changes);

describe('a webhook', () => {
  it('gets the groups that entered a cohort of groups in the place of persons', async () => {
    const used = { type: 'event', event: 'used', distinct_id: 'p0', timestamp: '2026-01-01T10:00:00Z' };
    await importLines(service, of.projectId, [{ ...used, properties: { $groups: { company: 'acme' } } }]);
    const members = { is_static: true, group_keys: [] };
    const { id } = await of.create({ name: 'Accounts', actor: 'group', group_type_index: 0, ...members });
    await of.webhook({ url: receiver.url, cohorts: [id] });
    await of.call('PATCH', `cohorts/${id}/add_persons_to_static_cohort`, { body: { group_keys: ['acme'] } });
    const changes = changesIn(await receiver.until(1));
    const { body } = await of.call('GET', `cohorts/${id}/group_changes`, { query: { order: 'newest' } });
    const group = { id: expect.any(Number), group_type_index: 0, group_key: 'acme' };
    expect((body as { results: object[] }).results).toMatchObject([{ change: 'entered', reason: 'added', group }]);
    expect(changes.map((change) => ({ ...change, cursor: '' }))).toEqual(
      (body as { results: object[] }).results.map((change) => ({ ...change, cursor: '' })),
    );
  });

  it('gets the changes of the feed, in order, signed, and nothing from before', async () => {
    const cohort = await of.list('Buyers');
    await of.add(cohort, 'p0');
    const { cursor } = await of.feed(cohort, 'latest');
    const { secret } = await of.webhook({ url: receiver.url, cohorts: [cohort] });
    await of.add(cohort, 'p1', 'p2');
    await receiver.until(1);
    await of.remove(cohort, 'p1');
    await of.add(cohort, 'p3');
    const messages = await receiver.untilChanges(4);
    const feed = await of.feed(cohort, cursor);
    expect(feed.results).toHaveLength(4);
    expect(changesIn(messages)).toEqual(feed.results);
    for (const message of messages) expect(verify(secret ?? '', message)).toEqual(message.body);
    const [first, last] = [messages[0], messages.at(-1)];
    expect(first?.body).toEqual({
      type: 'cohort.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        project_id: of.projectId,
        cohort: { id: cohort, name: 'Buyers' },
        changes: expect.any(Array),
        cursor: expect.any(String),
      },
    });
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Kohort\//),
    });
    expect((await of.feed(cohort, last?.body.data.cursor ?? '')).results).toEqual([]);
    expect(() => verify(secret ?? '', { ...messages[0], text: `${messages[0]?.text} ` } as ReceivedMessage)).toThrow();
  });

  it('shows its secret once', async () => {
    const made = await of.webhook({ url: receiver.url });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await of.shown(made.id)).toEqual({ ...made, secret: null });
    expect((await of.call('GET', 'webhooks')).text).not.toContain('whsec_');
    expect((await of.call('GET', 'activity')).text).not.toContain('whsec_');
  });

  it('has defaults for what is left out', async () => {
    expect(await of.webhook({ url: receiver.url })).toMatchObject({
      cohorts: '*',
      kinds: ['entered', 'left'],
      batch_size: 100,
      paused: false,
      paused_at: null,
      paused_reason: null,
      failing_since: null,
    });
  });

  it('gets at most so many changes in a message', async () => {
    const cohort = await of.list();
    await of.webhook({ url: receiver.url, batch_size: 2 });
    await of.add(cohort, 'p0', 'p1', 'p2', 'p3', 'p4');
    const messages = await receiver.until(3);
    expect(sizes(messages)).toEqual([2, 2, 1]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
    expect(new Set(changesIn(messages).map(({ person }) => person.id)).size).toBe(5);
  });

  it('gets only the kinds that it names, and no request about others', async () => {
    const cohort = await of.list();
    await of.webhook({ url: receiver.url, kinds: ['left'] });
    await of.add(cohort, 'p0', 'p1');
    await sleep(1200);
    await of.remove(cohort, 'p0');
    await of.remove(cohort, 'p1');
    await receiver.until(1);
    await sleep(1000);
    expect(changesIn(receiver.messages).map(({ change }) => change)).toEqual(['left', 'left']);
  });

  it('may name all cohorts, also those that are made later', async () => {
    const before = await of.list('Before');
    await of.webhook({ url: receiver.url });
    const later = await of.list('Later');
    await of.add(later, 'p0');
    await of.add(before, 'p1');
    const messages = await receiver.until(2);
    expect(messages.map(({ body }) => body.data.cohort.name).sort()).toEqual(['Before', 'Later']);
  });

  it('gets nothing about other cohorts and other projects', async () => {
    const [cohort, other] = [await of.list(), await of.list()];
    const foreign = await new WebhooksOf(service, (await service.newProject()).id).withPersons(1);
    await of.webhook({ url: receiver.url, cohorts: [cohort] });
    await of.add(other, 'p0');
    await foreign.add(await foreign.list(), 'p0');
    await sleep(1200);
    await of.add(cohort, 'p0');
    await receiver.until(1);
    await sleep(600);
    expect(receiver.messages.map(({ body }) => body.data.cohort.id)).toEqual([cohort]);
  });
});

describe('a message that is not accepted', () => {
  it('is sent again with the same id and content, and the next one waits for it', async () => {
    const cohort = await of.list();
    const { id, secret } = await of.webhook({ url: receiver.url, batch_size: 2 });
    receiver.answering = (nth) => (nth < 2 ? 503 : 200);
    await of.add(cohort, 'p0');
    await receiver.until(1);
    // Changes in the meantime do not change the message.
    await of.add(cohort, 'p1', 'p2');
    const [waiting] = await of.untilLog(id, ([first]) => first?.attempts === 1);
    expect(waiting).toMatchObject({
      id: receiver.messages[0]?.id,
      type: 'cohort.changed',
      cohort_id: cohort,
      changes: 1,
      status: 'waiting',
      response_status: 503,
      error: 'The receiver answered 503',
    });
    const delay = Date.parse(waiting?.next_attempt_at ?? '') - Date.parse(waiting?.last_attempt_at ?? '');
    expect([delay >= 4500, delay <= 5000]).toEqual([true, true]);
    expect((await of.shown(id)).failing_since).toBe(waiting?.last_attempt_at);
    await of.hurry();
    await of.untilLog(id, ([first]) => first?.attempts === 2);
    await of.hurry();
    const messages = await receiver.until(4);
    expect(sizes(messages)).toEqual([1, 1, 1, 2]);
    const ids = messages.map((message) => message.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[1]).toBe(ids[2]);
    expect(ids[3]).not.toBe(ids[2]);
    expect(messages[2]?.text).toBe(messages[0]?.text);
    for (const message of messages) verify(secret ?? '', message);
    const log = await of.untilLog(id, (all) => all.every(({ status }) => status === 'delivered'));
    expect(log.map(({ attempts, changes, error }) => [attempts, changes, error])).toEqual([
      [1, 2, null],
      [3, 1, null],
    ]);
    expect((await of.shown(id)).failing_since).toBeNull();
  });

  it('for three days pauses the webhook, with the reason, and continues when a user resumes it', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    receiver.answering = () => 500;
    await of.add(cohort, 'p0');
    await of.untilLog(id, ([first]) => first?.attempts === 1);
    await of.hurry(", failing_since = now() - interval '3 days'");
    await of.untilLog(id, ([first]) => first?.attempts === 2);
    const reason = `A message about cohort ${cohort} failed for 3 days. The receiver answered 500`;
    expect(await of.shown(id)).toMatchObject({ paused: true, paused_reason: reason, paused_at: expect.any(String) });
    expect(await of.deliveries(id)).toMatchObject([{ status: 'waiting', next_attempt_at: null }]);
    const [entry] = await of.activity('activity', { scope: 'Webhook', limit: 1 });
    expect(entry).toMatchObject({
      activity: 'paused',
      user: { is_system: true },
      detail: {
        name: new URL(receiver.url).origin,
        changes: [{ field: 'paused' }, { field: 'paused_reason', after: reason }],
      },
    });
    await of.add(cohort, 'p1');
    await sleep(1200);
    expect(receiver.messages).toHaveLength(2);
    receiver.answering = () => 200;
    expect((await of.call('PATCH', `webhooks/${id}`, { body: { paused: false } })).body).toMatchObject({
      paused: false,
      paused_at: null,
      paused_reason: null,
      failing_since: null,
    });
    const messages = await receiver.until(4);
    expect(messages[2]?.id).toBe(messages[0]?.id);
    expect(sizes(messages)).toEqual([1, 1, 1, 1]);
  });

  it('is the last one when the receiver is gone, which the log says', async () => {
    const written: object[] = [];
    const logger = service.app.get<Logger>(LOGGER);
    const warn = logger.warn.bind(logger);
    logger.warn = (fields: object) => void written.push(fields);
    try {
      const cohort = await of.list();
      const { id } = await of.webhook({ url: receiver.url });
      receiver.answering = () => 410;
      await of.add(cohort, 'p0');
      await of.untilLog(id, ([first]) => first?.attempts === 1);
      const reason = 'The receiver answered 410: it no longer takes messages';
      expect(await of.shown(id)).toMatchObject({ paused_reason: reason });
      await until(() => written.length > 0);
      expect(written).toEqual([{ project: of.projectId, webhook: id, reason }]);
    } finally {
      logger.warn = warn;
    }
  });

  it('about one cohort does not hold up another', async () => {
    const [bad, good] = [await of.list('Bad'), await of.list('Good')];
    const { id } = await of.webhook({ url: receiver.url });
    receiver.writing = ({ body }, response) => {
      response.writeHead(body.data.cohort.id === bad ? 500 : 200).end();
      return null;
    };
    await of.add(bad, 'p0');
    await of.untilLog(id, ([first]) => first?.attempts === 1);
    await of.add(good, 'p0');
    const log = await of.untilLog(id, (all) => all.some(({ status }) => status === 'delivered'));
    expect(log.map(({ cohort_id, status }) => [cohort_id, status])).toEqual([
      [good, 'delivered'],
      [bad, 'waiting'],
    ]);
  });

  it.each([
    ['a redirect', 302, 'The receiver answered with a redirect, which is not followed'],
    ['an error of the client', 404, 'The receiver answered 404'],
  ])('says so: %s', async (_, status, error) => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    receiver.answering = () => status;
    await of.add(cohort, 'p0');
    expect(await of.untilLog(id, ([first]) => first?.attempts === 1)).toMatchObject([
      { status: 'waiting', response_status: status, error },
    ]);
    expect(receiver.connections).toBe(1);
  });

  it('because there is no receiver says so', async () => {
    const cohort = await of.list();
    const { url } = receiver;
    await receiver.stop();
    const { id } = await of.webhook({ url });
    await of.add(cohort, 'p0');
    const log = await of.untilLog(id, ([first]) => first?.attempts === 1);
    expect(log).toMatchObject([{ response_status: null, error: 'The receiver refused the connection' }]);
    receiver = await TestReceiver.start();
  });
});

describe('a slow receiver', () => {
  it('does not hold up another, and has to answer in time', async () => {
    const sender = service.app.get(Sender);
    sender.timeoutMs = 1500;
    const other = await TestReceiver.start();
    try {
      const cohort = await of.list();
      const hanging = await of.webhook({ url: receiver.url });
      await of.webhook({ url: other.url });
      receiver.answering = () => null;
      await of.add(cohort, 'p0');
      await receiver.until(1);
      for (const person of ['p1', 'p2', 'p3']) await of.add(cohort, person);
      await other.until(1);
      await other.until(4, 1400).catch(() => undefined);
      expect(changesIn(other.messages)).toHaveLength(4);
      expect(receiver.messages).toHaveLength(1);
      const log = await of.untilLog(hanging.id, ([first]) => first?.attempts === 1);
      expect(log).toMatchObject([{ response_status: null, error: 'There was no complete answer within 1.5 s' }]);
    } finally {
      sender.timeoutMs = 10_000;
      await other.stop();
    }
  });

  it('that answers bit by bit has to end in time as well, and one that answers too much is not read', async () => {
    const sender = service.app.get(Sender);
    sender.timeoutMs = 1000;
    try {
      const { id } = await of.webhook({ url: receiver.url });
      receiver.writing = (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 50);
        response.once('close', () => clearInterval(timer));
        return null;
      };
      expect((await of.call('POST', `webhooks/${id}/test`)).body).toMatchObject({
        status: 'failed',
        response_status: null,
        error: 'There was no complete answer within 1 s',
      });
      let written = 0;
      receiver.writing = (_, response) => {
        response.writeHead(200);
        const more = () => {
          if (response.destroyed) return;
          written += 1;
          response.write('x'.repeat(32_768), () => setImmediate(more));
        };
        more();
        return null;
      };
      expect((await of.call('POST', `webhooks/${id}/test`)).body).toMatchObject({ status: 'delivered' });
      expect(written).toBeLessThan(1000);
    } finally {
      sender.timeoutMs = 10_000;
    }
  });
});

describe('a test', () => {
  it('sends a message that changes nothing, and says what the receiver answered', async () => {
    const { id, secret } = await of.webhook({ url: receiver.url, paused: true });
    const answer = await of.call('POST', `webhooks/${id}/test`);
    const [message] = await receiver.until(1);
    expect(verify(secret ?? '', message as ReceivedMessage)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { project_id: of.projectId, webhook_id: id },
    });
    const test = { id: message?.id, type: 'webhook.test', cohort_id: null, cursor: null, attempts: 1, changes: 0 };
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ ...test, status: 'delivered', response_status: 200, error: null }),
    ]);
    receiver.answering = () => 401;
    expect((await of.call('POST', `webhooks/${id}/test`)).body).toMatchObject({
      status: 'failed',
      response_status: 401,
    });
    expect((await of.deliveries(id)).map(({ status }) => status)).toEqual(['failed', 'delivered']);
  });
});

describe('a replay', () => {
  it('sends a delivered message again, with the same id', async () => {
    const cohort = await of.list();
    const { id, secret } = await of.webhook({ url: receiver.url, batch_size: 2 });
    await of.add(cohort, 'p0', 'p1', 'p2');
    await receiver.until(2);
    const [, first] = await of.untilLog(
      id,
      (log) => log.length === 2 && log.every(({ status }) => status === 'delivered'),
    );
    const answer = await of.call('POST', `webhooks/${id}/deliveries/${first?.id}/replay`);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: first?.id, attempts: 2, status: 'delivered' }),
    ]);
    const messages = await receiver.until(3);
    expect(messages[2]?.text).toBe(messages[0]?.text);
    expect(messages[2]?.id).toBe(messages[0]?.id);
    verify(secret ?? '', messages[2] as ReceivedMessage);
    receiver.answering = () => 500;
    const failed = await of.call('POST', `webhooks/${id}/deliveries/${first?.id}/replay`);
    expect(failed.body).toMatchObject({ attempts: 3, status: 'delivered', error: 'The receiver answered 500' });
  });

  it('of a message that waits tries it at once, in its order', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    receiver.answering = () => 500;
    await of.add(cohort, 'p0');
    const [waiting] = await of.untilLog(id, ([first]) => first?.attempts === 1);
    receiver.answering = () => 200;
    const replay = () => of.call('POST', `webhooks/${id}/deliveries/${waiting?.id}/replay`);
    expect((await replay()).status).toBe(200);
    await of.untilLog(id, ([first]) => first?.status === 'delivered' && first.attempts === 2);
  });

  it('of a message that waits for a paused webhook is refused, and of an unknown one is a 404', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    receiver.answering = () => 410;
    await of.add(cohort, 'p0');
    const [waiting] = await of.untilLog(id, ([first]) => first?.attempts === 1);
    expect((await of.call('POST', `webhooks/${id}/deliveries/${waiting?.id}/replay`)).status).toBe(409);
    const foreign = new WebhooksOf(service, (await service.newProject()).id);
    const other = await foreign.webhook({ url: receiver.url });
    const { body } = await foreign.call('POST', `webhooks/${other.id}/test`);
    for (const unknown of ['x', '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e', (body as { id: string }).id])
      expect((await of.call('POST', `webhooks/${id}/deliveries/${unknown}/replay`)).status).toBe(404);
  });
});

describe('a change of a webhook', () => {
  const patch = (id: number, body: object) => of.call('PATCH', `webhooks/${id}`, { body });

  it('to other cohorts drops what waits for those that leave, and starts after the last change of those that come', async () => {
    const [first, second] = [await of.list('First'), await of.list('Second')];
    await of.add(second, 'p0');
    const { id } = await of.webhook({ url: receiver.url, cohorts: [first] });
    receiver.answering = () => 500;
    await of.add(first, 'p0');
    await of.untilLog(id, ([message]) => message?.attempts === 1);
    receiver.answering = () => 200;
    expect((await patch(id, { cohorts: [second] })).body).toMatchObject({ cohorts: [second] });
    await of.add(first, 'p1');
    await of.add(second, 'p1');
    await of.untilLog(id, ([message]) => message?.status === 'delivered');
    expect(changesIn(receiver.accepted)).toMatchObject([{ reason: 'added' }]);
    expect((await of.deliveries(id)).map(({ cohort_id, status }) => [cohort_id, status])).toEqual([
      [second, 'delivered'],
      [first, 'dropped'],
    ]);
    expect((await patch(id, { cohorts: '*' })).body).toMatchObject({ cohorts: '*' });
    await of.add(first, 'p2');
    await receiver.until(3);
    await of.untilLog(id, ([message]) => message?.status === 'delivered' && message.cohort_id === first);
    expect(sizes(receiver.accepted)).toEqual([1, 1]);
  });

  it('to another address tries what failed at once', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: 'http://127.0.0.1:9/none' });
    await of.add(cohort, 'p0');
    await of.untilLog(id, ([message]) => message?.attempts === 1);
    await patch(id, { url: receiver.url });
    await receiver.until(1);
  });

  it('by which it is paused keeps what changes meanwhile', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    expect((await patch(id, { paused: true })).body).toMatchObject({ paused: true, paused_reason: null });
    await of.add(cohort, 'p0');
    await of.add(cohort, 'p1');
    await sleep(1200);
    expect(receiver.messages).toEqual([]);
    await patch(id, { paused: false });
    const messages = await receiver.until(1);
    expect(sizes(messages)).toEqual([2]);
  });

  it('is logged without what an address may hide', async () => {
    const { id } = await of.webhook({ url: 'http://127.0.0.1:9/token' });
    await patch(id, { url: 'http://127.0.0.1:9/other', kinds: ['left'] });
    await patch(id, { paused: true });
    await patch(id, { paused: false });
    await of.call('DELETE', `webhooks/${id}`);
    const entries = await of.activity('activity', { scope: 'Webhook' });
    expect(entries.map(({ activity }) => activity)).toEqual(['deleted', 'resumed', 'paused', 'updated', 'created']);
    expect(entries[3]?.detail).toMatchObject({
      name: 'http://127.0.0.1:9',
      changes: [
        { field: 'url', before: 'http://127.0.0.1:9', after: 'http://127.0.0.1:9' },
        { field: 'kinds', before: ['entered', 'left'], after: ['left'] },
      ],
    });
    expect(JSON.stringify(entries)).not.toMatch(/token|other/);
  });
});

describe('a deletion', () => {
  it('of a webhook removes everything about it', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    await of.add(cohort, 'p0');
    await of.untilLog(id, ([message]) => message?.status === 'delivered');
    expect((await of.call('DELETE', `webhooks/${id}`)).status).toBe(204);
    for (const path of [`webhooks/${id}`, `webhooks/${id}/deliveries`])
      expect((await of.call('GET', path)).status).toBe(404);
    const { rows } = await service.pool.query(
      'SELECT (SELECT count(*)::integer FROM webhook_positions WHERE webhook_id = $1) + (SELECT count(*)::integer FROM webhook_deliveries WHERE webhook_id = $1) AS n',
      [id],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('of a cohort sends nothing more about it; restored, it continues without a gap', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url });
    receiver.answering = () => 500;
    await of.add(cohort, 'p0');
    await of.untilLog(id, ([message]) => message?.attempts === 1);
    await of.change(cohort, { deleted: true });
    receiver.answering = () => 200;
    await of.hurry();
    await sleep(1000);
    expect(receiver.messages).toHaveLength(1);
    await of.change(cohort, { deleted: false });
    await of.add(cohort, 'p1');
    const messages = await receiver.until(3);
    expect(messages[1]?.id).toBe(messages[0]?.id);
    expect(sizes(messages)).toEqual([1, 1, 1]);
  });
});

describe('a webhook that was paused for too long', () => {
  it('is paused again, because changes were removed, and then continues after them', async () => {
    const cohort = await of.list();
    const { id } = await of.webhook({ url: receiver.url, paused: true });
    await of.add(cohort, 'p0');
    await service.pool.query(
      `WITH gone AS (DELETE FROM cohort_changes WHERE project_id = $1 AND cohort_id = $2 RETURNING id)
       UPDATE cohorts SET forgotten_change = (SELECT max(id) FROM gone) WHERE project_id = $1 AND id = $2`,
      [of.projectId, cohort],
    );
    await of.add(cohort, 'p1');
    const resume = () => of.call('PATCH', `webhooks/${id}`, { body: { paused: false } });
    await resume();
    for (let tries = 0; !(await of.shown(id)).paused && tries < 300; tries += 1) await sleep(20);
    const reason = `Changes of cohort ${cohort} were removed after 90 days, before they were sent: read its members again, and resume`;
    expect(await of.shown(id)).toMatchObject({ paused: true, paused_reason: reason });
    expect(receiver.messages).toEqual([]);
    await resume();
    const messages = await receiver.until(1);
    expect(sizes(messages)).toEqual([1]);
  });
});

describe('a service without the setting', () => {
  it('refuses private addresses', async () => {
    const shared = await sharedService();
    const path = `/api/projects/${shared.project.id}/webhooks`;
    for (const url of [
      receiver.url,
      'http://localhost/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/latest',
    ]) {
      const answer = await shared.call('POST', path, { body: { url } });
      const refusal = { attr: 'url', detail: expect.stringContaining('public address') };
      expect([url, answer.status, answer.body]).toEqual([url, 400, expect.objectContaining(refusal)]);
    }
    // A name leads to an address only when a message is sent.
    const made = await shared.call('POST', path, { body: { url: `http://127.0.0.1.nip.invalid:${receiver.port}/` } });
    const { id } = made.body as { id: number };
    expect((await shared.call('POST', `${path}/${id}/test`)).body).toMatchObject({
      status: 'failed',
      response_status: null,
    });
    expect(receiver.connections).toBe(0);
  });
});

describe('what cannot be a webhook', () => {
  it.each([
    [{}, 'url', /required/],
    [{ url: 'ftp://example.com' }, 'url', /https:\/\//],
    [{ url: 'example.com/hook' }, 'url', /https:\/\//],
    [{ url: 'https://user:pass@example.com' }, 'url', /password/],
    [{ url: `https://example.com/${'x'.repeat(2000)}` }, 'url', /2000/],
    [{ url: 'https://example.com', cohorts: [] }, 'cohorts', /list of ids/],
    [{ url: 'https://example.com', cohorts: 'all' }, 'cohorts', /"\*"/],
    [{ url: 'https://example.com', cohorts: [999_999] }, 'cohorts', /no cohort 999999/],
    [{ url: 'https://example.com', cohorts: [1, 'x'] }, 'cohorts.1', /id of a cohort/],
    [{ url: 'https://example.com', kinds: [] }, 'kinds', /at least one/],
    [{ url: 'https://example.com', kinds: ['came'] }, 'kinds', /entered, left/],
    [{ url: 'https://example.com', batch_size: 1001 }, 'batch_size', /1000/],
    [{ url: 'https://example.com', secret: 'whsec_mine' }, 'secret', /secret/],
  ])('is refused by its %#. fault', async (body, attr, detail) => {
    const answer = await of.call('POST', 'webhooks', { body });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringMatching(detail) }),
    ]);
  });

  it('is one too many', async () => {
    for (let n = 0; n < 50; n += 1) await of.webhook({ url: 'https://example.com', paused: true });
    expect((await of.call('POST', 'webhooks', { body: { url: 'https://example.com' } })).status).toBe(409);
  });

  it('is one by a key that may not read persons', async () => {
    const key = await service.newKey({ scopes: ['webhook:write', 'cohort:read'] });
    const path = `/api/projects/${of.projectId}/webhooks`;
    const answer = await service.call('POST', path, { key: key.text, body: { url: 'https://example.com' } });
    expect([answer.status, answer.body]).toEqual([
      403,
      expect.objectContaining({ detail: 'The API key lacks the scope person:read' }),
    ]);
  });
});
