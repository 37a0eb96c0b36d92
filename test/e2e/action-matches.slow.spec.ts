import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ArrivalsSweep } from '../../src/events/live/arrivals-sweep.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { TestReceiver } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

let service: TestService;
let project: ProjectDto;
let of: WebhooksOf;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
  of = new WebhooksOf(service, project.id);
  receiver = await TestReceiver.start();
});
afterEach(() => receiver.stop());

const capture = async (batch: readonly object[]): Promise<void> => {
  const body = { api_key: project.api_token, batch };
  expect((await service.call('POST', '/batch', { key: null, body })).status).toBe(200);
};

let times = Date.parse('2026-03-01T10:00:00Z');
const paid = (distinct_id: string, amount: number, more: object = {}) => ({
  ...{ event: 'paid', distinct_id, uuid: randomUUID(), timestamp: new Date((times += 1000)).toISOString() },
  properties: { amount, ...more },
});

const action = async (name: string, steps: readonly object[]): Promise<number> => {
  const { body } = await of.call('POST', 'actions', { body: { name, steps } });
  return (body as { id: number }).id;
};

const largePayment = () =>
  action('Large payment', [
    { event: 'paid', properties: [{ key: 'amount', value: 100, operator: 'gte' }] },
    { event: 'paid', properties: [{ key: 'plan', value: 'pro', type: 'person' }] },
  ]);

const webhookOf = (id: number, more: object = {}): Promise<WebhookDto> =>
  of.webhook({ url: receiver.url, events: ['action.matched'], action: id, ...more });

interface Told {
  readonly type: string;
  readonly data: { readonly events: readonly { uuid: string; person_id: number | null; action_id: number }[] };
}

const told = (from = receiver) => from.accepted.map(({ text }) => JSON.parse(text) as Told);
const uuidsTold = (from = receiver) => told(from).flatMap(({ data }) => data.events.map(({ uuid }) => uuid));

describe('webhooks of an action', () => {
  it('tell of new events that match it, in the order of their arrival, each once', async () => {
    await capture([paid('ada', 500)]);
    const id = await largePayment();
    const { id: webhook, events, action: shown } = await webhookOf(id);
    expect([events, shown]).toEqual([['action.matched'], id]);
    const [first, second, third] = [paid('ada', 100), paid('bob', 1, { $set: { plan: 'pro' } }), paid('cy', 700)];
    await capture([first, paid('cy', 99), { ...paid('cy', 500), event: 'offered' }]);
    await capture([second]);
    await capture([first, third, { ...paid('dee', 800), properties: { amount: 800, $process_person_profile: false } }]);
    await until(() => uuidsTold().length >= 4);
    expect(uuidsTold().slice(0, 3)).toEqual([first.uuid, second.uuid, third.uuid]);
    const persons = told().flatMap(({ data }) => data.events.map(({ person_id }) => person_id));
    expect(persons).toEqual([expect.any(Number), expect.any(Number), expect.any(Number), null]);
    for (const { type, data } of told()) {
      expect(type).toBe('action.matched');
      for (const event of data.events) expect(event.action_id).toBe(id);
    }
    const [last] = await of.untilLog(webhook, (log) => log.every(({ status }) => status === 'delivered'));
    const text = receiver.messages.find((message) => message.id === last?.id)?.text;
    const replayed = await of.call('POST', `webhooks/${webhook}/deliveries/${last?.id}/replay`);
    expect([replayed.status, last?.type, receiver.messages.at(-1)?.text]).toEqual([200, 'action.matched', text]);
  });

  it('tell of their own action only, and stop when it is no longer named', async () => {
    const other = await TestReceiver.start();
    try {
      const [large, any] = [await largePayment(), await action('Anything', [{ event: null }])];
      const { id } = await webhookOf(large);
      await of.webhook({ url: other.url, events: ['action.matched', 'person.created'], action: any });
      const [small, big] = [paid('ada', 1), paid('ada', 200)];
      await capture([small, big]);
      await until(
        () => other.accepted.filter(({ body }) => body.type === 'action.matched').length > 0 && uuidsTold().length > 0,
      );
      expect(uuidsTold()).toEqual([big.uuid]);
      const seen = other.accepted.filter(({ body }) => body.type === 'action.matched');
      expect(seen.flatMap(({ text }) => (JSON.parse(text) as Told).data.events.map(({ uuid }) => uuid))).toEqual([
        small.uuid,
        big.uuid,
      ]);
      const patched = await of.call('PATCH', `webhooks/${id}`, { body: { events: ['person.deleted'] } });
      expect([patched.status, (patched.body as WebhookDto).action]).toEqual([200, null]);
      const { rows } = await service.pool.query('SELECT action_id FROM action_watches WHERE project_id = $1', [
        project.id,
      ]);
      expect(rows).toEqual([{ action_id: any }]);
    } finally {
      await other.stop();
    }
  });

  it('tell of many in batches', async () => {
    await webhookOf(await largePayment(), { batch_size: 500 });
    const batches = Array.from({ length: 6 }, () =>
      Array.from({ length: 2000 }, (_, n) => paid(`u${n % 50}`, n % 2 ? 200 : 1)),
    );
    for (const batch of batches) await capture(batch);
    const expected = batches.flat().flatMap(({ uuid, properties }) => (properties.amount === 200 ? [uuid] : []));
    await until(() => uuidsTold().length >= expected.length);
    expect(uuidsTold()).toEqual(expected);
    expect(Math.max(...told().map(({ data }) => data.events.length))).toBe(500);
  }, 60_000);

  it('are paused when their action cannot be compared any longer', async () => {
    const id = await largePayment();
    const { id: webhook } = await webhookOf(id);
    expect((await of.call('DELETE', `actions/${id}`)).status).toBe(204);
    await capture([paid('ada', 200)]);
    await until(async () => (await of.shown(webhook)).paused);
    expect((await of.shown(webhook)).paused_reason).toContain(`Events cannot be compared with action ${id}: `);
  });

  it('need an action of the project, and the event', async () => {
    const [own, foreign] = [await largePayment(), 2 ** 30];
    const make = (body: object) => of.call('POST', 'webhooks', { body: { url: receiver.url, ...body } });
    for (const body of [
      { events: ['action.matched'] },
      { events: ['action.matched'], action: foreign },
      { action: own },
      { events: ['action.matched'], action: own, format: 'segment' },
    ]) {
      const answer = await make(body);
      expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([
        400,
        'format' in body ? 'events' : 'action',
      ]);
    }
    const { text: key } = await service.newKey({ scopes: ['webhook:write', 'cohort:read', 'person:read'] });
    const refused = await of.call('POST', 'webhooks', {
      key,
      body: { url: receiver.url, events: ['action.matched'], action: own },
    });
    expect(refused.status).toBe(403);
  });

  it('miss nothing when ClickHouse was away for longer than arrivals are kept otherwise', async () => {
    const counted = async () => {
      const { rows } = await service.pool.query<{ n: number }>(
        'SELECT count(*)::integer AS n FROM arrivals WHERE project_id = $1',
        [project.id],
      );
      return rows[0]?.n;
    };
    const sweepIn = (minutes: number) => service.app.get(ArrivalsSweep).run(new Date(Date.now() + minutes * 60_000));
    await webhookOf(await largePayment());
    await capture([paid('ada', 200)]);
    await until(() => uuidsTold().length === 1);
    await sweepIn(11);
    expect(await counted()).toBe(1);
    await service.pool.query(
      `UPDATE action_watches SET seen_at = now() + interval '11 minutes' WHERE project_id = $1`,
      [project.id],
    );
    await sweepIn(11);
    expect(await counted()).toBe(0);
  });
});
