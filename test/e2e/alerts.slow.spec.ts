import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AlertDto, type BacktestDto } from '../../src/saved/alerts/alert.dto.js';
import { AlertWorker } from '../../src/saved/alerts/alert-worker.js';
import { importLines } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';
import { type ReceivedMessage, TestReceiver, verify } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const hourMs = 3_600_000;
const graceMs = 60_000;
const start = Date.parse('2026-03-02T00:00:00Z');
const hour = (nth: number) => new Date(start + nth * hourMs);

let service: TestService;
let of: WebhooksOf;
let worker: AlertWorker;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
  worker = service.app.get(AlertWorker);
  // Each test says when time goes on.
  await worker.worker.stop();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new WebhooksOf(service, (await service.newProject()).id);
  receiver = await TestReceiver.start();
});
afterEach(() => receiver.stop());

const made = async <T>(path: string, body: object, at?: Date): Promise<T> => {
  const answer = await of.call('POST', path, { body, headers: at ? { 'x-test-now': at.toISOString() } : {} });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as T;
};

const question = (params: object = {}) => ({
  name: 'Sign-ups',
  question: { type: 'trends', params: { events: [{ id: 'signed up' }], interval: 'hour', ...params } },
});

const insight = async (params: object = {}) => (await made<{ id: number }>('insights', question(params))).id;

const above = (upper: number) => ({ configuration: { type: 'absolute', bounds: { lower: null, upper } } });

const alertOn = (id: number, more: object = {}, at = hour(0)) =>
  made<AlertDto>(
    'alerts',
    { name: 'Many', insight: id, calculation_interval: 'hourly', threshold: above(3), ...more },
    at,
  );

const events = (nth: number, count: number) =>
  importLines(
    service,
    of.projectId,
    Array.from({ length: count }, (_, n) => ({
      ...{ type: 'event', event: 'signed up', distinct_id: `u${n}` },
      timestamp: new Date(hour(nth).getTime() + n * 1000).toISOString(),
    })),
  );

/** Does what is due at a moment. */
const pass = async (at: Date) => {
  const { signal } = new AbortController();
  while ((await worker.round(at, signal)) !== null);
};

/** The hours of a stream pass, one after the other. */
const live = async (counts: readonly number[], from = 0) => {
  for (const [nth, count] of counts.entries()) {
    if (count > 0) await events(from + nth, count);
    await pass(new Date(hour(from + nth + 1).getTime() + graceMs));
  }
};

const alert = async (id: number) =>
  (await of.call('GET', `alerts/${id}`, { query: { checks_limit: 500 } })).body as AlertDto;

const changesOf = async (id: number) =>
  (await alert(id)).checks
    .toReversed()
    .flatMap(({ interval_start, change }) =>
      change === null ? [] : [[change, (Date.parse(interval_start) - start) / hourMs]],
    );

/** The first hour of each run of breaches, and the first one after it. The hour before the first is 0. */
const naive = (breached: readonly boolean[]) =>
  breached.flatMap((is, nth): (string | number)[][] => {
    const was = breached[nth - 1] ?? false;
    return is === was ? [] : [[is ? 'fired' : 'resolved', nth]];
  });

const told = (messages: readonly ReceivedMessage[]) =>
  messages.map(({ body }) => {
    const { type, data } = body as unknown as { type: string; data: { interval?: { start: string }; reason?: string } };
    return [type, data.interval ? (Date.parse(data.interval.start) - start) / hourMs : data.reason];
  });

describe('an alert', () => {
  it('fires once for each breach, tells of it in order, and would have fired so in the past', async () => {
    const on = await insight();
    const { secret } = await of.webhook({ url: receiver.url, events: ['alert.fired', 'alert.resolved'] });
    const half = { configuration: { type: 'percentage', bounds: { lower: null, upper: 0.5 } } };
    const many = await alertOn(on);
    const more = await alertOn(on, { condition: { type: 'relative_increase' }, threshold: half });
    const band = await alertOn(on, { condition: { type: 'band', periods: 3 }, threshold: null });
    // A fixed stream: two breaches, one of them over two hours.
    const counts = [1, 5, 4, 2, 0, 3, 6, 1, ...fc.sample(fc.integer({ min: 0, max: 6 }), { numRuns: 16, seed: 7 })];
    await live(counts);

    const breaches = [
      counts.map((count) => count > 3),
      counts.map((count, nth) => count > 1.5 * (counts[nth - 1] ?? 0)),
      // Nothing happened in the weeks before.
      counts.map((count) => count > 0),
    ];
    for (const [nth, { id }] of [many, more, band].entries()) {
      expect(await changesOf(id)).toEqual(naive(breaches[nth] ?? []));
      const headers = { 'x-test-now': new Date(hour(counts.length).getTime() + graceMs).toISOString() };
      const answer = await of.call('GET', `alerts/${id}/backtest`, { query: { days: 1 }, headers });
      const { results, fired } = answer.body as BacktestDto;
      const { insight: watched, condition, threshold, config, calculation_interval, skip_weekend } = await alert(id);
      const body = { insight: watched, condition, threshold, config, calculation_interval, skip_weekend };
      const unsaved = await of.call('POST', 'alerts/backtest', { query: { days: 1 }, headers, body });
      expect([unsaved.status, unsaved.body]).toEqual([200, answer.body]);
      const { checks } = await alert(id);
      expect(results).toEqual(checks.toReversed().map(({ created_at: _, ...decided }) => decided));
      expect(results).toHaveLength(counts.length + 1);
      expect(fired).toBe(naive(breaches[nth] ?? []).filter(([change]) => change === 'fired').length);
    }

    const expected = naive(breaches[0] ?? []).map(([change, nth]) => [`alert.${change}`, nth]);
    await receiver.until(breaches.flatMap((each) => naive(each)).length);
    const messages = receiver.messages.filter(({ text }) => text.includes(`"alert":{"id":${many.id},`));
    expect(told(messages)).toEqual(expected);
    expect(JSON.parse(messages[0]?.text ?? '')).toEqual({
      type: 'alert.fired',
      timestamp: expect.any(String),
      data: {
        project_id: of.projectId,
        alert: { id: many.id, name: 'Many' },
        insight_id: on,
        interval: { start: hour(1).toISOString(), end: hour(2).toISOString() },
        ...{ value: 5, compared: 5, lower: null, upper: 3 },
      },
    });
    for (const message of receiver.messages) expect(verify(secret ?? '', message)).toEqual(message.body);
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(receiver.messages.length);
  });

  it('decides what it missed in order, at most the latest 200 intervals, and no interval again', async () => {
    const on = await insight();
    const { id } = await alertOn(on);
    await events(1, 4);
    await events(3, 4);
    await pass(hour(5));
    expect(await changesOf(id)).toEqual([
      ['fired', 1],
      ['resolved', 2],
      ['fired', 3],
    ]);
    // The hour 4 ended less than a minute ago.
    expect((await alert(id)).checks_total).toBe(5);
    await events(0, 9);
    await events(2, 9);
    await pass(new Date(hour(5).getTime() + graceMs));
    expect((await changesOf(id)).at(-1)).toEqual(['resolved', 4]);
    expect((await alert(id)).checks_total).toBe(6);
    await pass(new Date(hour(5 + 300).getTime() + graceMs));
    const { checks_total, checks } = await alert(id);
    expect([checks_total, checks[0]?.interval_start]).toEqual([206, hour(304).toISOString()]);
  });

  it('says why a check failed, tries again, and fires then', async () => {
    const on = await insight();
    const { id } = await alertOn(on);
    await events(0, 9);
    // The question changes to one that has no number for each interval.
    await of.call('PATCH', `insights/${on}`, { body: question({ breakdown: 'plan' }) });
    await pass(new Date(hour(1).getTime() + graceMs));
    const errored = await alert(id);
    expect(errored).toMatchObject({ state: 'Errored', checks_total: 0, error: { code: 'invalid_input' } });
    expect(errored.error?.detail).toContain('it must have no breakdown');
    await of.call('PATCH', `insights/${on}`, { body: question() });
    await pass(new Date(Date.parse(errored.next_check_at ?? '') + 1));
    expect((await alert(id)).checks.some(({ change }) => change === 'fired')).toBe(false);
    expect(await alert(id)).toMatchObject({ error: null });
  });

  it('ends its breach when it is changed, snoozed, disabled or deleted, or when its question is', async () => {
    const on = await insight();
    await of.webhook({ url: receiver.url, events: ['alert.fired', 'alert.resolved'] });
    await events(0, 9);
    const firing = async () => {
      const { id } = await alertOn(on, {}, hour(1));
      await pass(new Date(hour(1).getTime() + graceMs));
      expect((await alert(id)).state).toBe('Firing');
      return id;
    };
    const edit = async (body: object) => {
      const id = await firing();
      return (await of.call('PATCH', `alerts/${id}`, { body })).body as AlertDto;
    };
    expect(await edit({ name: 'Other' })).toMatchObject({ state: 'Firing' });
    expect(await edit({ threshold: above(20) })).toMatchObject({ state: 'Not firing' });
    expect(await edit({ snoozed_until: '2h' })).toMatchObject({ state: 'Snoozed' });
    expect(await edit({ enabled: false })).toMatchObject({ state: 'Not firing', enabled: false, next_check_at: null });
    expect(await edit({ deleted: true })).toMatchObject({ deleted: true });
    const id = await firing();
    await of.call('DELETE', `insights/${on}`);
    expect(await alert(id)).toMatchObject({
      ...{ enabled: false, state: 'Not firing', insight: { id: on, name: null } },
      disabled_reason: `The saved question ${on} is deleted: name another one in insight, and enable the alert`,
    });
    await receiver.until(12);
    expect(told(receiver.messages).filter(([type]) => type === 'alert.resolved')).toEqual(
      // The first alert still fired when the question was deleted.
      ['changed', 'snoozed', 'disabled', 'deleted', 'insight_deleted', 'insight_deleted'].map((reason) => [
        'alert.resolved',
        reason,
      ]),
    );
    const enabling = await of.call('PATCH', `alerts/${id}`, { body: { enabled: true } });
    expect([enabling.status, (enabling.body as { attr: string }).attr]).toEqual([400, 'insight']);
  });

  it('decides the last interval anew by a rule that has changed', async () => {
    const on = await insight();
    await of.webhook({ url: receiver.url, events: ['alert.fired', 'alert.resolved'] });
    await events(0, 9);
    const { id } = await alertOn(on, {}, hour(1));
    const at = new Date(hour(1).getTime() + graceMs);
    await pass(at);
    const edited = async (upper: number) => {
      const headers = { 'x-test-now': new Date(at.getTime() + upper).toISOString() };
      await of.call('PATCH', `alerts/${id}`, { body: { threshold: above(upper) }, headers });
      await pass(at);
      return (await alert(id)).state;
    };
    expect(await edited(20)).toBe('Not firing');
    expect(await edited(5)).toBe('Firing');
    await receiver.until(3);
    expect(told(receiver.messages).map(([type]) => type)).toEqual(['alert.fired', 'alert.resolved', 'alert.fired']);
    expect(new Set(receiver.messages.map(({ id: message }) => message)).size).toBe(3);
  });

  it('is sent back as it was read, logged, and counts its checks', async () => {
    const { id } = await alertOn(await insight(), { condition: { type: 'band' }, threshold: null });
    const read = await alert(id);
    expect(read.condition).toEqual({ type: 'band', deviations: 3, periods: 8 });
    expect((await of.call('PATCH', `alerts/${id}`, { body: read })).body).toEqual({ ...read, checks: read.checks });
    const log = (await of.call('GET', 'activity', { query: { scope: 'Alert' } })).body as { results: object[] };
    expect(log.results).toEqual([
      expect.objectContaining({ activity: 'created', scope: 'Alert', item_id: String(id) }),
    ]);
    expect(((await of.call('GET', 'alerts')).body as { count: number }).count).toBe(1);
  });

  it.each<[string, object, string]>([
    ['a total', { display: 'BoldNumber' }, 'insight'],
    ['a running sum', { display: 'ActionsLineGraphCumulative' }, 'insight'],
    ['a breakdown', { breakdown: 'plan' }, 'insight'],
    ['smoothing', { smoothing_intervals: 3 }, 'insight'],
    ['minutes', { interval: 'minute' }, 'insight'],
  ])('is refused on a question with %s', async (_, params, attr) => {
    const body = { insight: await insight(params), threshold: above(1) };
    const answer = await of.call('POST', 'alerts', { body });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
  });

  it('is refused with a rule that makes no sense, by the name of its field', async () => {
    const on = await insight();
    const refused = async (more: object) => {
      const body = { insight: on, threshold: above(1), ...more };
      const answer = await of.call('POST', 'alerts', { body });
      return [answer.status, (answer.body as { attr: string }).attr];
    };
    const percentage = { configuration: { type: 'percentage', bounds: { upper: 1 } } };
    const crossed = { configuration: { type: 'absolute', bounds: { lower: 2, upper: 1 } } };
    const none = { configuration: { type: 'absolute', bounds: {} } };
    const foreign = new WebhooksOf(service, (await service.newProject()).id);
    const elsewhere = (await foreign.call('POST', 'insights', { body: question() })).body as { id: number };
    const cases: [object, string][] = [
      [{ insight: elsewhere.id }, 'insight'],
      [{ insight: 987_654 }, 'insight'],
      [{ condition: { type: 'sideways' } }, 'condition.type'],
      [{ condition: { type: 'band' } }, 'threshold'],
      [{ condition: { type: 'band', periods: 2 }, threshold: null }, 'condition.periods'],
      [{ condition: { type: 'band', deviations: 0 }, threshold: null }, 'condition.deviations'],
      [{ condition: { type: 'absolute_value', periods: 3 } }, 'condition.periods'],
      [{ threshold: null }, 'threshold'],
      [{ threshold: percentage }, 'threshold.configuration.type'],
      [{ threshold: crossed }, 'threshold.configuration.bounds.lower'],
      [{ threshold: none }, 'threshold.configuration.bounds'],
      [{ config: { series_index: 1 } }, 'config.series_index'],
      [{ config: { check_ongoing_interval: true } }, 'config.check_ongoing_interval'],
      [{ subscribed_users: ['ada'] }, 'subscribed_users.0'],
      [{ calculation_interval: 'yearly' }, 'calculation_interval'],
      [{ schedule_restriction: {} }, 'schedule_restriction'],
    ];
    for (const [more, attr] of cases) expect([more, await refused(more)]).toEqual([more, [400, attr]]);
    expect(await refused({ snoozed_until: 'soon' })).toEqual([400, 'snoozed_until']);
    // There is no SMTP server.
    expect(await refused({ subscribed_users: [1] })).toEqual([409, 'subscribed_users']);
  });
});
