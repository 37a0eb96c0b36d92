import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DestinationFormat } from '../../src/webhooks/destinations/destination.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { DestinationReceiver } from '../support/webhooks/destination-receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';
import { importLines, personLine } from '../support/import.js';

let service: TestService;
let of: WebhooksOf;
let receivers: DestinationReceiver[];

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
});
afterAll(() => service.stop());

beforeEach(async () => {
  of = await new WebhooksOf(service, (await service.newProject()).id).withPersons(6);
  receivers = [];
});
afterEach(async () => {
  for (const { http, faults } of receivers) {
    await http.stop();
    expect(faults).toEqual([]);
  }
});

const receiverOf = async (format: DestinationFormat): Promise<DestinationReceiver> => {
  const receiver = await DestinationReceiver.start(format);
  receivers.push(receiver);
  return receiver;
};

const named = async (name: string, ...members: string[]) => {
  const id = await of.list(name);
  if (members.length > 0) await of.add(id, ...members);
  return { id, name };
};

const untilMembers = (receiver: DestinationReceiver, cohort: { id: number; name: string }, expected: string[]) =>
  until(() => receiver.members(cohort).join() === expected.join(), {
    failure: () => `${receiver.members(cohort).join()} instead of ${expected.join()}; ${receiver.faults.join()}`,
  });

const patch = (id: number, body: object) => of.call('PATCH', `webhooks/${id}`, { body });
const resync = (id: number, body: object = {}) => of.call('POST', `webhooks/${id}/resync`, { body });

const formats: readonly DestinationFormat[] = ['mixpanel', 'amplitude', 'segment'];

describe.each(formats)('the format %s', (format) => {
  it('sends the members in pages, then who enters and leaves, and the receiver has the members of the cohort', async () => {
    const receiver = await receiverOf(format);
    const cohort = await named('Buyers', 'p0', 'p1', 'p2');
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id], batch_size: 2 }));
    await untilMembers(receiver, cohort, ['p0', 'p1', 'p2']);
    await of.remove(cohort.id, 'p1');
    await of.add(cohort.id, 'p4', 'p5');
    await untilMembers(receiver, cohort, ['p0', 'p2', 'p4', 'p5']);
    const log = await of.untilLog(id, (all) => all.length === 4 && all.every((one) => one.status === 'delivered'));
    const shown = log.map((one) => [one.type, one.page, one.pages, one.changes, one.sent, one.skipped, one.attempts]);
    expect(shown.reverse()).toEqual([
      ['cohort.members', 1, 2, 2, 2, 0, 1],
      ['cohort.members', 2, 2, 1, 1, 0, 1],
      ['cohort.changed', null, null, 1, 1, 0, 1],
      ['cohort.changed', null, null, 2, 2, 0, 1],
    ]);
  });

  it('removes a person by what the receiver knows, and forgets it then', async () => {
    const receiver = await receiverOf(format);
    const lines = ['ada', 'bob', 'cy'].map((name) => personLine(name, { email: `${name}@x.test` }));
    await importLines(service, of.projectId, lines);
    const cohort = await named('Buyers', 'ada', 'bob', 'cy');
    await of.webhook(receiver.webhook({ cohorts: [cohort.id], identifier: 'email' }));
    await untilMembers(receiver, cohort, ['ada@x.test', 'bob@x.test', 'cy@x.test']);
    const personId = async (name: string) =>
      ((await of.call('GET', 'persons', { query: { distinct_id: name } })).body as { results: { id: number }[] })
        .results[0]?.id ?? 0;
    const body = { properties: { email: 'other@x.test' } };
    expect((await of.call('PATCH', `persons/${await personId('ada')}`, { body })).status).toBe(200);
    await of.remove(cohort.id, 'ada');
    await untilMembers(receiver, cohort, ['bob@x.test', 'cy@x.test']);
    expect((await of.call('DELETE', `persons/${await personId('bob')}`)).status).toBeLessThan(300);
    await untilMembers(receiver, cohort, ['cy@x.test']);
    const kept = async (): Promise<string> => {
      const tables = ['webhook_members', 'webhook_deliveries'].map((table) =>
        service.pool.query(`SELECT * FROM ${table} WHERE project_id = $1`, [of.projectId]),
      );
      return JSON.stringify((await Promise.all(tables)).map(({ rows }) => rows as object[]));
    };
    await until(async () => !/(ada|bob|other)@x/.test(await kept()));
    expect(await kept()).toContain('cy@x.test');
  });

  it('keeps an identifier as long as a member has it', async () => {
    const receiver = await receiverOf(format);
    await importLines(
      service,
      of.projectId,
      ['ada', 'eve'].map((name) => personLine(name, { crm: 7 })),
    );
    const cohort = await named('Shared', 'ada', 'eve', 'p0');
    const identifier = { property: 'crm' };
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id], identifier }));
    await untilMembers(receiver, cohort, ['7']);
    const [first] = await of.untilLog(id, ([one]) => one?.status === 'delivered');
    expect(first).toMatchObject({ changes: 3, sent: 2, skipped: 1 });
    await of.remove(cohort.id, 'ada');
    const [kept] = await of.untilLog(id, ([one]) => one?.type === 'cohort.changed');
    expect(kept).toMatchObject({ status: 'dropped', attempts: 0, changes: 1 });
    await of.remove(cohort.id, 'p0');
    const log = await of.untilLog(id, (all) => all.length === 3);
    expect(log[0]).toMatchObject({ status: 'dropped', sent: 0, skipped: 1 });
    expect(receiver.members(cohort)).toEqual(['7']);
    await of.remove(cohort.id, 'eve');
    await untilMembers(receiver, cohort, []);
  });

  it('sends the members again when it is asked, and what the receiver missed', async () => {
    const receiver = await receiverOf(format);
    const cohort = await named('Buyers', 'p0', 'p1');
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id], batch_size: 1 }));
    await untilMembers(receiver, cohort, ['p0', 'p1']);
    receiver.known(cohort).delete('p0');
    expect((await resync(id)).body).toEqual({ cohorts: [cohort.id] });
    await untilMembers(receiver, cohort, ['p0', 'p1']);
    // A message that the receiver refuses does not stand in the way.
    receiver.http.answering = () => 400;
    await of.remove(cohort.id, 'p1');
    await of.untilLog(id, ([one]) => one?.status === 'waiting' && one.attempts === 1);
    receiver.http.answering = () => 200;
    expect((await resync(id, { cohort: cohort.id })).body).toEqual({ cohorts: [cohort.id] });
    await patch(id, { paused: false });
    await untilMembers(receiver, cohort, ['p0']);
    expect((await of.activity('activity', { scope: 'Webhook', limit: 20 })).map((entry) => entry.activity)).toContain(
      'resynced',
    );
  });

  it('names persons otherwise after a change of the identifier', async () => {
    const receiver = await receiverOf(format);
    await importLines(service, of.projectId, [personLine('ada', { email: 'ada@x.test' })]);
    const cohort = await named('Buyers', 'ada', 'p1');
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
    await untilMembers(receiver, cohort, ['ada', 'p1']);
    await patch(id, { identifier: 'email' });
    await untilMembers(receiver, cohort, ['ada@x.test']);
    await patch(id, { identifier: 'distinct_id' });
    await untilMembers(receiver, cohort, ['ada', 'p1']);
  });
});

describe('a destination', () => {
  it('may have all cohorts, also those that are made or named later', async () => {
    const receiver = await receiverOf('mixpanel');
    const before = await named('Before', 'p0');
    await of.webhook(receiver.webhook());
    const later = await named('Later', 'p1', 'p2');
    await untilMembers(receiver, before, ['p0']);
    await untilMembers(receiver, later, ['p1', 'p2']);
    const other = await receiverOf('segment');
    const { id } = await of.webhook(other.webhook({ cohorts: [before.id] }));
    await untilMembers(other, before, ['p0']);
    await patch(id, { cohorts: [before.id, later.id] });
    await untilMembers(other, later, ['p1', 'p2']);
  });

  it('sends chosen properties, as they are when the person is sent', async () => {
    await importLines(service, of.projectId, [personLine('ada', { plan: 'pro', secret: 's', age: 30 })]);
    const [mixpanel, segment] = [await receiverOf('mixpanel'), await receiverOf('segment')];
    const cohort = await named('Buyers', 'ada');
    for (const receiver of [mixpanel, segment])
      await of.webhook(receiver.webhook({ cohorts: [cohort.id], properties: ['plan', 'age', 'city'] }));
    await untilMembers(mixpanel, cohort, ['ada']);
    await untilMembers(segment, cohort, ['ada']);
    expect(mixpanel.known(cohort).get('ada')).toEqual({ mixpanel_distinct_id: 'ada', plan: 'pro', age: 30 });
    const trait = { [`kohort_cohort_${cohort.id}`]: true };
    expect(segment.known(cohort).get('ada')).toEqual({ plan: 'pro', age: 30, ...trait });
  });

  it('prefers the id that a human chose', async () => {
    const receiver = await receiverOf('mixpanel');
    const generated = '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e';
    const line = JSON.stringify({ type: 'person', distinct_ids: [generated, 'zoe'] });
    await importLines(service, of.projectId, [JSON.parse(line) as never]);
    const cohort = await named('Buyers', generated);
    await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
    await untilMembers(receiver, cohort, ['zoe']);
  });

  it('shows the kind of its credentials only, and does not send them to another server', async () => {
    const receiver = await receiverOf('mixpanel');
    receiver.authorization = `Basic ${Buffer.from('key:top-secret').toString('base64')}`;
    const cohort = await named('Buyers', 'p0');
    const credentials = { user: 'key', password: 'wrong-secret' };
    const made = await of.webhook(receiver.webhook({ cohorts: [cohort.id], credentials }));
    expect(made.credentials).toBe('basic');
    const [refused] = await of.untilLog(made.id, ([one]) => one?.attempts === 1);
    expect(refused).toMatchObject({ status: 'waiting', response_status: 401 });
    expect(await of.shown(made.id)).toMatchObject({
      paused: true,
      paused_reason: `The receiver answered 401 to a message about cohort ${cohort.id}: correct the webhook or the receiver, and resume`,
    });
    const right = { ...(await of.shown(made.id)), credentials: { user: 'key', password: 'top-secret' }, paused: false };
    expect((await patch(made.id, right)).status).toBe(200);
    await untilMembers(receiver, cohort, ['p0']);
    const elsewhere = { url: 'https://thief.example.test/hook' };
    expect((await patch(made.id, elsewhere)).body).toMatchObject({ attr: 'credentials' });
    expect((await patch(made.id, { ...elsewhere, credentials: 'basic' })).status).toBe(400);
    expect((await patch(made.id, { ...elsewhere, credentials: null, paused: true })).status).toBe(200);
    const texts = await Promise.all(['webhooks', 'activity'].map((path) => of.call('GET', path)));
    for (const { text } of texts) expect(text).not.toMatch(/top-secret|wrong-secret/);
  });

  it('waits as long as the receiver says', async () => {
    const receiver = await receiverOf('segment');
    receiver.headers = { 'retry-after': '120' };
    receiver.http.answering = () => 429;
    const cohort = await named('Buyers', 'p0');
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
    const [first] = await of.untilLog(id, ([one]) => one?.attempts === 1);
    const delay = Date.parse(first?.next_attempt_at ?? '') - Date.parse(first?.last_attempt_at ?? '');
    expect(delay).toBe(120_000);
    receiver.http.answering = () => 200;
    await of.hurry();
    await untilMembers(receiver, cohort, ['p0']);
  });

  it('sends smaller messages to a receiver that takes no large ones', async () => {
    const receiver = await receiverOf('mixpanel');
    const cohort = await named('Buyers', 'p0', 'p1', 'p2', 'p3', 'p4');
    const sizes: number[] = [];
    const { writing } = receiver.http;
    receiver.http.writing = (message, response) => {
      const { members } = (message.body as unknown as { parameters: { members: unknown[] } }).parameters;
      sizes.push(members.length);
      return writing?.(members.length > 2 ? { ...message, status: 413 } : message, response) ?? null;
    };
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
    await untilMembers(receiver, cohort, ['p0', 'p1', 'p2', 'p3', 'p4']);
    expect(sizes).toEqual([5, 2, 2, 1]);
    const log = await of.untilLog(id, (all) => all.length === 4 && all[0]?.status === 'delivered');
    expect(log.map((one) => [one.status, one.page, one.pages, one.response_status]).reverse()).toEqual([
      ['dropped', 1, 1, 413],
      ['delivered', 1, 3, 200],
      ['delivered', 2, 3, 200],
      ['delivered', 3, 3, 200],
    ]);
  });

  it('begins again with the members after changes were removed that it had not sent', async () => {
    const receiver = await receiverOf('segment');
    const cohort = await named('Buyers', 'p0', 'p1');
    const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
    await untilMembers(receiver, cohort, ['p0', 'p1']);
    await patch(id, { paused: true });
    await of.remove(cohort.id, 'p1');
    await of.add(cohort.id, 'p2');
    await service.pool.query(
      `UPDATE cohorts SET forgotten_change = (SELECT max(id) FROM cohort_changes WHERE cohort_id = $1) WHERE id = $1`,
      [cohort.id],
    );
    await service.pool.query('DELETE FROM cohort_changes WHERE cohort_id = $1', [cohort.id]);
    await patch(id, { paused: false });
    await untilMembers(receiver, cohort, ['p0', 'p2']);
    expect((await of.shown(id)).paused).toBe(false);
  });

  it('is tested without a member, and replays tests only', async () => {
    for (const format of formats) {
      const receiver = await DestinationReceiver.start(format);
      const cohort = await named(`For ${format}`, 'p0');
      const { id } = await of.webhook(receiver.webhook({ cohorts: [cohort.id] }));
      await untilMembers(receiver, cohort, ['p0']);
      const { body: tested } = await of.call('POST', `webhooks/${id}/test`);
      expect(tested).toMatchObject({ type: 'webhook.test', response_status: format === 'amplitude' ? 400 : 200 });
      const log = await of.deliveries(id, { cohort: cohort.id });
      const replay = (delivery: string) => of.call('POST', `webhooks/${id}/deliveries/${delivery}/replay`);
      expect((await replay(log[0]?.id ?? '')).status).toBe(409);
      expect((await replay((tested as { id: string }).id)).body).toMatchObject({ attempts: 2 });
      await receiver.http.stop();
    }
  });

  it('has settings that go together', async () => {
    const { id } = await of.webhook({ url: 'https://receiver.invalid/hook' });
    expect((await resync(id)).status).toBe(409);
    const cohort = await named('Buyers');
    const other = await named('Others');
    const hook = { url: 'https://receiver.invalid/hook', format: 'segment', cohorts: [cohort.id], paused: true };
    const made = await of.webhook(hook);
    expect((await resync(made.id, { cohort: other.id })).body).toMatchObject({ attr: 'cohort' });
    expect((await of.call('POST', 'webhooks', { body: { ...hook, kinds: ['left'] } })).body).toMatchObject({
      attr: 'kinds',
    });
    const noticesToo = { events: ['cohort.changed', 'import.finished'] };
    const says =
      'events must be ["cohort.changed"] for the format segment, which has no message for import.finished: make another webhook with the format standard';
    const refused = { status: 400, attr: 'events', detail: says };
    expect((await of.call('POST', 'webhooks', { body: { ...hook, ...noticesToo } })).body).toMatchObject(refused);
    expect((await patch(made.id, noticesToo)).body).toMatchObject(refused);
    expect((await patch(made.id, { events: ['cohort.changed'] })).body).toMatchObject({ events: ['cohort.changed'] });
    await of.call('POST', 'groups', { body: { group_type: 'company', group_key: 'acme' } });
    const ofCompanies = { actor: 'group', group_type_index: 0, is_static: true, group_keys: ['acme'] };
    const companies = await of.create({ name: 'Companies', ...ofCompanies });
    expect((await of.call('POST', 'webhooks', { body: { ...hook, cohorts: [companies.id] } })).body).toMatchObject({
      attr: 'cohorts',
    });
    expect((await patch(made.id, { format: 'mixpanel' })).body).toMatchObject({ attr: 'format' });
    expect((await patch(made.id, made)).status).toBe(200);
  });
});
