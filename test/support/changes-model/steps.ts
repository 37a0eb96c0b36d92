import { expect } from '@jest/globals';
import { type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { all, type CohortsOf, did, where } from '../cohorts/cohorts-of.js';
import { type Answer, type ServiceHandle } from '../service-handle.js';

export interface Scene {
  readonly service: ServiceHandle;
  readonly token: string;
  readonly of: CohortsOf;
  readonly random: Random;
  readonly dynamic: readonly number[];
  readonly fixed: readonly number[];
}

const names = Array.from({ length: 25 }, (_, n) => `p${n}`);
const plans = ['pro', 'free', 'team'];
const definitions = [
  all(where('plan', 'pro')),
  all(where('plan', ['pro', 'team'])),
  all(did('bought')),
  all(where('plan', 'free', { negation: true })),
];

export const makeScene = async (
  service: ServiceHandle,
  of: CohortsOf,
  token: string,
  random: Random,
): Promise<Scene> => {
  const dynamic: number[] = [];
  for (const filters of definitions.slice(0, 3)) dynamic.push((await of.create({ filters })).id);
  const fixed = [(await of.create({ is_static: true, distinct_ids: [] })).id];
  return { service, token, of, random, dynamic, fixed };
};

/** Several steps run at the same time, so the person of another one may be merged or gone. */
const done = ({ status, body }: Answer): void => {
  expect([status < 300 || [400, 404, 409].includes(status), status, body]).toEqual([true, status, body]);
};

const capture = async ({ service, token }: Scene, ...batch: object[]): Promise<void> => {
  const sent = await fetch(`${service.url}/batch`, { method: 'POST', body: JSON.stringify({ api_key: token, batch }) });
  expect(sent.status).toBe(200);
};

const personOf = async ({ of }: Scene, distinctId: string): Promise<PersonDto | undefined> => {
  const { body } = await of.call('GET', 'persons', { query: { distinct_id: distinctId } });
  return (body as { results: PersonDto[] }).results[0];
};

const onPerson = async (scene: Scene, act: (person: PersonDto) => Promise<Answer>): Promise<void> => {
  const person = await personOf(scene, scene.random.pick(names));
  if (person) done(await act(person));
};

type Step = readonly [name: string, weight: number, run: (scene: Scene) => Promise<void>];

const recalculate = async ({ of, random, dynamic }: Scene): Promise<void> =>
  done(await of.call('POST', `cohorts/${random.pick(dynamic)}/recalculate`, { query: { wait: 30 } }));

export const steps: readonly Step[] = [
  [
    'captures an event',
    6,
    (scene) => {
      const event = scene.random.pick(['bought', 'opened']);
      const properties = { $set: { plan: scene.random.pick(plans) } };
      return capture(scene, { event, distinct_id: scene.random.pick(names), properties });
    },
  ],
  ['recalculates', 5, recalculate],
  [
    'redefines',
    1,
    async ({ of, random, dynamic }) => {
      const body = { filters: random.pick(definitions) };
      done(await of.call('PATCH', `cohorts/${random.pick(dynamic)}`, { body, query: { wait: 30 } }));
    },
  ],
  [
    'captures a merge',
    2,
    (scene) => {
      const properties = { alias: scene.random.pick(names) };
      return capture(scene, { event: '$merge_dangerously', distinct_id: scene.random.pick(names), properties });
    },
  ],
  [
    'merges by hand',
    2,
    (scene) => {
      const body = { distinct_ids: [scene.random.pick(names)] };
      return onPerson(scene, ({ id }) => scene.of.call('POST', `persons/${id}/merge`, { body }));
    },
  ],
  [
    'splits',
    2,
    (scene) =>
      onPerson(scene, ({ id, distinct_ids: ids }) =>
        scene.of.call('POST', `persons/${id}/split`, { body: { distinct_ids_to_split: ids.slice(1) } }),
      ),
  ],
  [
    'undoes a merge',
    3,
    (scene) =>
      onPerson(scene, async ({ id }) => {
        const { body } = await scene.of.call('GET', `persons/${id}/merges`);
        const { results = [] } = body as { results?: { id: number; can_undo: boolean }[] };
        const merge = results.find(({ can_undo: can }) => can);
        return scene.of.call('POST', `persons/${id}/merges/${merge?.id ?? 1}/undo`);
      }),
  ],
  ['deletes', 1, (scene) => onPerson(scene, ({ id }) => scene.of.call('DELETE', `persons/${id}`))],
  [
    'uploads',
    2,
    async ({ of, random, fixed }) => {
      const body = { distinct_ids: Array.from({ length: 4 }, () => random.pick(names)) };
      done(await of.call('PATCH', `cohorts/${random.pick(fixed)}`, { body, query: { wait: 30 } }));
    },
  ],
  [
    'adds',
    2,
    async ({ of, random, fixed }) => {
      const body = { distinct_ids: [random.pick(names), random.pick(names)] };
      done(await of.call('PATCH', `cohorts/${random.pick(fixed)}/add_persons_to_static_cohort`, { body }));
    },
  ],
  [
    'removes',
    2,
    (scene) =>
      onPerson(scene, ({ id }) =>
        scene.of.call('PATCH', `cohorts/${scene.random.pick(scene.fixed)}/remove_person_from_static_cohort`, {
          body: { person_id: id },
        }),
      ),
  ],
];

/** Waits until no cohort is being calculated. */
export const settled = async ({ of, dynamic, fixed }: Scene): Promise<void> => {
  for (const id of [...dynamic, ...fixed])
    for (let tries = 0; (await of.cohort(id)).is_calculating && tries < 300; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
};
