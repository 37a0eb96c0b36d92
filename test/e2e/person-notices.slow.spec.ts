import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines, personLine } from '../support/import.js';
import { runsOf } from '../support/sample.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { TestReceiver, verify } from '../support/webhooks/receiver.js';
import { personsTold } from '../support/webhooks/told-persons.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const events = ['person.created', 'person.merged', 'person.deleted'];

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

const seen = (distinct_id: string) => ({ event: 'seen', distinct_id });
const merge = (distinct_id: string, alias: string) => ({
  ...{ event: '$merge_dangerously', distinct_id },
  properties: { alias },
});

const idsInStore = async (): Promise<Map<string, number>> => {
  const { rows } = await service.pool.query<{ id: string; distinct_id: string }>(
    'SELECT person_id AS id, distinct_id FROM person_distinct_ids WHERE project_id = $1 ORDER BY position',
    [project.id],
  );
  return new Map(rows.map(({ id, distinct_id }) => [distinct_id, Number(id)]));
};

const notices = async (): Promise<number> => {
  const { rows } = await service.pool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM notices WHERE project_id = $1',
    [project.id],
  );
  return rows[0]?.n ?? 0;
};

const bodies = () =>
  receiver.accepted.map(({ text }) => JSON.parse(text) as { type: string; data: { persons: object[] } });

const untilAllTold = async (webhook: number, batchSize = 100): Promise<Set<number>> => {
  await until(async () => {
    const { rows } = await service.pool.query(
      `SELECT FROM webhook_positions WHERE project_id = $1 AND webhook_id = $2
       AND (next_attempt_at IS NOT NULL OR EXISTS (SELECT FROM notices n WHERE n.project_id = $1 AND n.id > change_id))`,
      [project.id, webhook],
    );
    return rows.length === 0;
  });
  return personsTold(receiver.accepted, batchSize);
};

describe('webhooks of persons', () => {
  it('tell what happens to persons after the webhook, in order, in messages of one type', async () => {
    await capture([seen('before')]);
    expect(await notices()).toBe(0);
    const { id, secret } = await of.webhook({ url: receiver.url, events, batch_size: 2 });
    await capture([seen('ada'), seen('bob'), seen('cy')]);
    await capture([merge('ada', 'bob')]);
    await capture([seen('ada'), seen('dee')]);
    const ids = await idsInStore();
    const [ada, cy, dee] = ['ada', 'cy', 'dee'].map((name) => ids.get(name) ?? 0);
    expect((await of.call('DELETE', `persons/${cy}`)).status).toBe(204);
    await untilAllTold(id, 2);
    const bob = (bodies()[0]?.data.persons[1] as { id: number }).id;
    expect(bodies().map(({ type, data }) => [type, data])).toEqual([
      ['person.created', { project_id: project.id, persons: [{ id: ada }, { id: bob }] }],
      ['person.created', { project_id: project.id, persons: [{ id: cy }] }],
      ['person.merged', { project_id: project.id, persons: [{ id: bob, merged_into: ada }] }],
      ['person.created', { project_id: project.id, persons: [{ id: dee }] }],
      ['person.deleted', { project_id: project.id, persons: [{ id: cy }] }],
    ]);
    for (const message of receiver.messages) expect(verify(secret ?? '', message)).toEqual(message.body);
    const log = await of.deliveries(id);
    expect(log.map(({ type, changes, status }) => [type, changes, status]).reverse()).toEqual([
      ['person.created', 2, 'delivered'],
      ['person.created', 1, 'delivered'],
      ['person.merged', 1, 'delivered'],
      ['person.created', 1, 'delivered'],
      ['person.deleted', 1, 'delivered'],
    ]);
    const [last] = receiver.accepted.slice(0, 1);
    const replayed = await of.call('POST', `webhooks/${id}/deliveries/${last?.id}/replay`);
    expect([replayed.status, receiver.messages.at(-1)?.text]).toEqual([200, last?.text]);
  });

  it('send a message that was not accepted again, with the same persons, although more have come', async () => {
    receiver.answering = (nth) => (nth === 0 ? 500 : 200);
    const { id } = await of.webhook({ url: receiver.url, events });
    await capture([seen('ada')]);
    await of.untilLog(id, (log) => log[0]?.attempts === 1);
    await capture([seen('bob')]);
    await of.hurry();
    await untilAllTold(id);
    const [first, again, next] = receiver.messages;
    expect([again?.id, again?.text]).toEqual([first?.id, first?.text]);
    expect(next?.id).not.toBe(first?.id);
    expect(receiver.messages).toHaveLength(3);
  });

  it('store only what a webhook of the project asks for', async () => {
    await of.webhook({ url: receiver.url, events: ['alert.fired'] });
    await capture([seen('ada'), seen('bob'), merge('ada', 'bob')]);
    expect(await notices()).toBe(0);
    const { id } = await of.webhook({ url: receiver.url, events: ['person.merged'] });
    await capture([seen('cy')]);
    await capture([merge('ada', 'cy')]);
    expect(await notices()).toBe(1);
    await until(async () => (await of.deliveries(id))[0]?.status === 'delivered');
    expect(bodies().map(({ type }) => type)).toEqual(['person.merged']);
  });

  it('tell of splits, of what is undone, and of imported persons', async () => {
    const { id } = await of.webhook({ url: receiver.url, events });
    await importLines(service, project.id, [personLine('ada', {}), personLine('bob', {})]);
    await capture([merge('ada', 'bob')]);
    const ada = (await idsInStore()).get('ada') ?? 0;
    const { body: merges } = await of.call('GET', `persons/${ada}/merges`);
    const [{ id: mergeId } = { id: 0 }] = (merges as { results: { id: number }[] }).results;
    expect((await of.call('POST', `persons/${ada}/merges/${mergeId}/undo`)).status).toBe(200);
    await capture([merge('ada', 'crm')]);
    expect((await of.call('POST', `persons/${ada}/split`, { body: { main_distinct_id: 'ada' } })).status).toBe(200);
    expect((await of.call('POST', `persons/${ada}/split/undo`)).status).toBe(200);
    const told = await untilAllTold(id);
    expect(told).toEqual(new Set((await idsInStore()).values()));
    expect(bodies().flatMap(({ type, data }) => data.persons.map(() => type))).toEqual([
      'person.created',
      'person.created',
      'person.merged',
      'person.created',
      'person.created',
      'person.merged',
    ]);
  });
});

const name = fc.integer({ min: 0, max: 7 }).map((nth) => `p${nth}`);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(name, { minLength: 1, maxLength: 4 }).map((ids) => ids.map(seen)) },
  {
    weight: 4,
    arbitrary: fc.array(
      fc
        .tuple(fc.constantFrom('$identify', '$create_alias', '$merge_dangerously'), name, name)
        .map(([event, distinct_id, other]) => ({
          ...{ event, distinct_id },
          properties: { alias: other, $anon_distinct_id: other },
        })),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { weight: 2, arbitrary: name.map((id) => ({ delete: id })) },
  { weight: 1, arbitrary: name.map((id) => ({ split: id })) },
);

describe('random histories of persons', () => {
  it('leave a receiver with the persons that exist', async () => {
    const batchSize = 3;
    const histories = fc.sample(fc.array(step, { minLength: 8, maxLength: 20 }), { numRuns: runsOf(60, 12), seed: 55 });
    for (const history of histories) {
      project = await service.newProject();
      of = new WebhooksOf(service, project.id);
      receiver.messages.length = 0;
      const { id } = await of.webhook({ url: receiver.url, events, batch_size: batchSize });
      for (const each of history) {
        if (Array.isArray(each)) {
          await capture(each);
          continue;
        }
        const person = (await idsInStore()).get('delete' in each ? each.delete : each.split);
        if (person === undefined) continue;
        if ('delete' in each) await of.call('DELETE', `persons/${person}`);
        else await of.call('POST', `persons/${person}/split`, { body: { main_distinct_id: null } });
      }
      expect(await untilAllTold(id, batchSize)).toEqual(new Set((await idsInStore()).values()));
    }
  }, 300_000);
});
