import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../../src/app/demo/random.js';
import { type DestinationFormat } from '../../src/webhooks/destinations/destination.js';
import { importLines, personLine } from '../support/import.js';
import { runsOf } from '../support/sample.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { DestinationReceiver } from '../support/webhooks/destination-receiver.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const persons = 7;
const steps = 14;
const values = ['red', 'green', 5, null] as const;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
});
afterAll(() => service.stop());

/** What the receiver has to know: the identifiers of the members as the service lists them now. */
const expected = async (of: WebhooksOf, cohort: number, isByUuid: boolean): Promise<string[]> => {
  const members = await of.members(cohort);
  if (isByUuid) return members.map(({ uuid }) => uuid).sort();
  const crm = members.map(({ properties }) => (properties as { crm?: unknown }).crm);
  return [...new Set(crm.filter((value) => typeof value === 'string' || typeof value === 'number').map(String))].sort();
};

const personId = async (of: WebhooksOf, name: string): Promise<number | null> => {
  const { body } = await of.call('GET', 'persons', { query: { distinct_id: name } });
  return (body as { results: { id: number }[] }).results[0]?.id ?? null;
};

/** A random step that changes who is a member, what a member has, or what the receiver does. */
const step = async (
  of: WebhooksOf,
  {
    random,
    cohort,
    webhook,
    receiver,
  }: { random: Random; cohort: number; webhook: number; receiver: DestinationReceiver },
): Promise<void> => {
  const name = `p${random.between(0, persons - 1)}`;
  const chance = random.between(0, 20);
  const id = await personId(of, name);
  if (chance < 6)
    await of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: [name] } });
  else if (id === null) await importLines(service, of.projectId, [personLine(name, { crm: random.pick(values) })]);
  else if (chance < 11)
    await of.call('PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, { body: { person_id: id } });
  else if (chance < 14) await of.call('PATCH', `persons/${id}`, { body: { properties: { crm: random.pick(values) } } });
  else if (chance < 15) await of.call('DELETE', `persons/${id}`);
  else if (chance < 16) {
    const into = await personId(of, `p${random.between(0, persons - 1)}`);
    if (into !== null && into !== id) await of.call('POST', `persons/${into}/merge`, { body: { persons: [id] } });
  } else if (chance < 18) await of.call('POST', `webhooks/${webhook}/resync`, { body: {} });
  else receiver.http.answering = () => (random.chance(0.5) ? 200 : random.pick([500, 503, 413, 429]));
};

const formats: readonly DestinationFormat[] = ['mixpanel', 'amplitude', 'segment'];
const runs = Array.from({ length: runsOf(40, 20) }, (_, run) => run);

describe.each(formats)('a receiver of the format %s that fails at random', (format) => {
  it.each(runs)(
    'has the members at each quiet point, whatever happens to persons (%i)',
    async (run) => {
      const seed = Number(process.env.SEED ?? 20_261_130) + run;
      const random = new Random(seed);
      const of = new WebhooksOf(service, (await service.newProject()).id);
      const lines = Array.from({ length: persons }, (_, n) => personLine(`p${n}`, { crm: values[n % values.length] }));
      await importLines(service, of.projectId, lines);
      const cohort = { id: await of.list('Members'), name: 'Members' };
      await of.add(cohort.id, 'p0', 'p1', 'p2', 'p3');
      const receiver = await DestinationReceiver.start(format);
      try {
        // A property changes, and is shared; a uuid never changes, so changes of the cohort alone keep the receiver right.
        const isByUuid = run % 2 === 1;
        const identifier = isByUuid ? 'uuid' : { property: 'crm' };
        const hook = { cohorts: [cohort.id], identifier, batch_size: random.between(1, 4) };
        const { id: webhook } = await of.webhook(receiver.webhook(hook));
        for (let quiet = 0; quiet < 2; quiet += 1) {
          for (let n = 0; n < steps; n += 1) {
            await step(of, { random, cohort: cohort.id, webhook, receiver });
            if (random.chance(0.3)) await of.hurry();
          }
          receiver.http.answering = () => 200;
          await of.call('PATCH', `webhooks/${webhook}`, { body: { paused: false } });
          // Changes of the property after it was sent are sent by a resync only.
          if (!isByUuid) await of.call('POST', `webhooks/${webhook}/resync`, { body: {} });
          const members = await expected(of, cohort.id, isByUuid);
          const isEqual = async () => {
            await of.hurry();
            return receiver.members(cohort).join() === members.join();
          };
          await until(isEqual, {
            everyMs: 100,
            failure: () => `seed ${seed}: ${receiver.members(cohort).join()} instead of ${members.join()}`,
          });
          await until(async () => {
            const { rows } = await service.pool.query(
              'SELECT FROM webhook_positions WHERE project_id = $1 AND next_attempt_at IS NOT NULL',
              [of.projectId],
            );
            return rows.length === 0;
          });
          expect([seed, receiver.members(cohort)]).toEqual([seed, members]);
        }
        expect(receiver.faults).toEqual([]);
        const { rows } = await service.pool.query<{ identifier: string }>(
          'SELECT DISTINCT identifier FROM webhook_members WHERE project_id = $1 ORDER BY 1',
          [of.projectId],
        );
        expect(rows.map(({ identifier }) => identifier)).toEqual(receiver.members(cohort));
      } finally {
        await receiver.http.stop();
      }
    },
    120_000,
  );
});
