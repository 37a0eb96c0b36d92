import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendNotice, forgetOldNotices, noticeLifetimeDays } from '../../src/kernel/notices/notices.repository.js';
import { type NoticeType } from '../../src/kernel/notices/notice.entity.js';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { QuotaWatch } from '../../src/projects/quotas/quota-watch.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { importLines } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestReceiver, verify } from '../support/webhooks/receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

let service: TestService;
let of: WebhooksOf;
let receiver: TestReceiver;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = await new WebhooksOf(service, (await service.newProject()).id).withPersons(2);
  receiver = await TestReceiver.start();
});
afterEach(() => receiver.stop());

const told = () => receiver.accepted.map(({ text }) => JSON.parse(text) as { type: string; data: { n?: number } });
const numbers = () => told().map(({ data }) => data.n);

const notice = (n: number, type: NoticeType = 'import.finished') =>
  service.app
    .get(Postgres)
    .transaction((client) =>
      appendNotice(client, { id: of.projectId }, { type, key: String(n), data: { n }, at: new Date() }),
    );

const patch = async (id: number, body: object): Promise<WebhookDto> => {
  const answer = await of.call('PATCH', `webhooks/${id}`, { body });
  expect(answer.status).toBe(200);
  return answer.body as WebhookDto;
};

describe('notices', () => {
  it('come in order, each once, of the named types, and none from before', async () => {
    await notice(1);
    const { id, secret, events } = await of.webhook({ url: receiver.url, events: ['import.finished'] });
    expect(events).toEqual(['import.finished']);
    await notice(2);
    await notice(2);
    await notice(3, 'quota.near');
    await Promise.all([4, 5, 6].map((n) => notice(n)));
    const cohort = await of.list();
    await of.add(cohort, 'p0');
    await receiver.until(4);
    await of.untilLog(id, (log) => log.length === 4 && log.every(({ status }) => status === 'delivered'));
    expect([...numbers()].sort()).toEqual([2, 4, 5, 6]);
    const { rows } = await service.pool.query<{ n: number }>(
      `SELECT (data ->> 'n')::integer AS n FROM notices WHERE project_id = $1 AND type = 'import.finished' AND key <> '1' ORDER BY id`,
      [of.projectId],
    );
    expect(numbers()).toEqual(rows.map(({ n }) => n));
    for (const message of receiver.messages) expect(verify(secret ?? '', message)).toEqual(message.body);
    expect(await of.deliveries(id)).toEqual(
      receiver.accepted.toReversed().map((message) =>
        expect.objectContaining({
          id: message.id,
          type: 'import.finished',
          cohort_id: null,
          changes: 0,
          cursor: null,
        }),
      ),
    );
  });

  it('are sent again with the same id and content until they are accepted, then the next one', async () => {
    receiver.answering = (nth) => (nth < 2 ? 500 : 200);
    const { id } = await of.webhook({ url: receiver.url, events: ['import.finished'] });
    await notice(1);
    await receiver.until(1);
    await notice(2);
    await of.untilLog(id, (log) => log[0]?.attempts === 1);
    await of.hurry();
    await receiver.until(2);
    await of.untilLog(id, (log) => log[0]?.attempts === 2);
    await of.hurry();
    await receiver.until(4);
    expect(receiver.messages.map(({ text }) => (JSON.parse(text) as { data: { n: number } }).data.n)).toEqual([
      1, 1, 1, 2,
    ]);
    expect(new Set(receiver.messages.slice(0, 3).map(({ id: message, text }) => message + text)).size).toBe(1);
    const [last] = await of.untilLog(id, (log) => log.every(({ status }) => status === 'delivered'));
    const replayed = await of.call('POST', `webhooks/${id}/deliveries/${last?.id}/replay`);
    expect([replayed.status, receiver.messages[4]?.text]).toEqual([200, receiver.messages[3]?.text]);
    expect(receiver.messages[4]?.id).toBe(last?.id);
  });

  it('wait while the webhook is paused, and start where a type is added', async () => {
    const { id, events } = await of.webhook({ url: receiver.url });
    expect(events).toEqual(['cohort.changed']);
    await notice(1);
    await patch(id, { events: ['cohort.changed', 'import.finished'] });
    await notice(2);
    await receiver.until(1);
    await of.untilLog(id, ([first]) => first?.status === 'delivered');
    await patch(id, { paused: true });
    await notice(3);
    await notice(4, 'quota.near');
    await patch(id, { paused: false, events: ['import.finished', 'quota.near'] });
    await notice(5, 'quota.near');
    const cohort = await of.list();
    await of.add(cohort, 'p0');
    await receiver.until(4);
    // Notice 3 waited when quota.near was added, so the type starts after notice 2.
    expect(numbers()).toEqual([2, 3, 4, 5]);
    await patch(id, { events: ['cohort.changed'] });
    await notice(6);
    await of.add(cohort, 'p1');
    await receiver.until(5);
    expect(told().map(({ type }) => type)).toEqual([
      ...['import.finished', 'import.finished', 'quota.near', 'quota.near', 'cohort.changed'],
    ]);
    expect(receiver.messages[4]?.body.data.changes).toHaveLength(1);
  });

  it('are forgotten after their time, and a message that lost its notice is dropped', async () => {
    receiver.answering = (nth) => (nth < 1 ? 500 : 200);
    const { id } = await of.webhook({ url: receiver.url, events: ['import.finished'] });
    await notice(1);
    await of.untilLog(id, (log) => log[0]?.attempts === 1);
    const later = new Date(Date.now() + (noticeLifetimeDays * 24 + 1) * 3_600_000);
    await forgetOldNotices(service.app.get(Postgres), later);
    await notice(2);
    await of.hurry();
    await of.untilLog(id, (log) => log.length === 2 && log[0]?.status === 'delivered');
    expect((await of.deliveries(id)).map(({ status }) => status)).toEqual(['delivered', 'dropped']);
    expect(numbers()).toEqual([2]);
  });

  it('are refused under a name that is none', async () => {
    const answer = await of.call('POST', 'webhooks', { body: { url: receiver.url, events: ['person.born'] } });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'events']);
  });
});

describe('a webhook is told', () => {
  const types = ['import.finished', 'quota.near', 'deletion.finished'];
  const first = async () => {
    await receiver.until(1);
    return told().map(({ type, data }) => [type, data]);
  };

  it('that an import is finished', async () => {
    await of.webhook({ url: receiver.url, events: types });
    const answer = await fetch(`${service.url}/api/projects/${of.projectId}/import?wait=0`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ type: 'event', event: 'imported', distinct_id: 'a@example.test' }),
    });
    const { id } = (await answer.json()) as { id: string };
    const data = { project_id: of.projectId, import_id: id, failed: false, persons: 0, events: 1, duplicates: 0 };
    expect(await first()).toEqual([['import.finished', { ...data, rejected: 0 }]]);
    expect(receiver.messages[0]?.text).not.toContain('example.test');
  });

  it('once that a quota is nearly used, and once that it is used up', async () => {
    await of.webhook({ url: receiver.url, events: types });
    const watch = service.app.get(QuotaWatch);
    await service.call('PATCH', `/api/projects/${of.projectId}`, { body: { quotas: { cohorts: 5 } } });
    for (let made = 0; made < 4; made += 1) await of.list();
    await watch.look(new Date());
    await of.list();
    await watch.look(new Date());
    await watch.look(new Date());
    await receiver.until(2);
    const near = (percent: number, used: number) => ({
      project_id: of.projectId,
      quota: 'cohorts',
      percent,
      limit: 5,
      used,
    });
    expect(await first()).toEqual([
      ['quota.near', near(80, 4)],
      ['quota.near', near(100, 5)],
    ]);
  });

  it('once that the events of a deleted person are gone', async () => {
    await of.webhook({ url: receiver.url, events: types });
    const { body } = await of.call('GET', 'persons', { query: { distinct_id: 'p0' } });
    const [person] = (body as { results: { id: number }[] }).results;
    const deleted = await of.call('DELETE', `persons/${person?.id}`, { query: { delete_events: 'true' } });
    expect(deleted.status).toBeLessThan(300);
    await service.app.get(DeletionsJob).run();
    const requests = (await of.call('GET', 'deletion_requests')).body as { results: { id: string }[] };
    const data = { project_id: of.projectId, deletion_request_id: requests.results[0]?.id, kind: 'person' };
    expect(await first()).toEqual([['deletion.finished', { ...data, person_id: person?.id, events_deleted: 0 }]]);
  });

  it('once that the events of a question are gone, of which no person is told', async () => {
    await of.webhook({ url: receiver.url, events: types });
    const event = { type: 'event', event: 'paid', distinct_id: 'p0' };
    await importLines(service, of.projectId, [event]);
    const question = { events: ['paid'] };
    const preview = (await of.call('POST', 'deletion_requests', { body: question })).body as { confirm: string };
    const body = { ...question, confirm: preview.confirm };
    const { id } = (await of.call('POST', 'deletion_requests', { body })).body as { id: string };
    await service.app.get(DeletionsJob).run();
    const data = { project_id: of.projectId, deletion_request_id: id, kind: 'events', events_deleted: 1 };
    expect(await first()).toEqual([['deletion.finished', data]]);
  });
});
