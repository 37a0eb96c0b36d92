import { expect } from '@jest/globals';
import { type Random } from '../../../src/app/demo/random.js';
import { type GroupDto } from '../../../src/groups/group.dto.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { all, type CohortsOf, did, where } from '../cohorts/cohorts-of.js';
import { type ActorKind, actorFields } from '../cohorts/subjects.js';
import { describes } from '../groups.js';
import { type Answer, type ServiceHandle } from '../service-handle.js';

export interface Scene {
  readonly kind: ActorKind;
  readonly service: ServiceHandle;
  readonly token: string;
  readonly of: CohortsOf;
  readonly random: Random;
  readonly dynamic: readonly number[];
  readonly fixed: readonly number[];
}

const names = Array.from({ length: 25 }, (_, n) => `p${n}`);
const plans = ['pro', 'free', 'team'];
/** The keys of groups. */
const keys = Array.from({ length: 12 }, (_, n) => `g${n}`);

const definitionsOf = (kind: ActorKind) => {
  const has = (plan: unknown, more: object = {}) =>
    where('plan', plan, kind === 'person' ? more : { type: 'group', group_type_index: 0, ...more });
  return [all(has('pro')), all(has(['pro', 'team'])), all(did('bought')), all(has('free', { negation: true }))];
};

/** Some members by the names that events have for them. */
const named = ({ kind, random }: Pick<Scene, 'kind' | 'random'>, count: number): object =>
  kind === 'person'
    ? { distinct_ids: Array.from({ length: count }, () => random.pick(names)) }
    : { group_keys: Array.from({ length: count }, () => random.pick(keys)) };

/** With groups, everything happens to persons as well, which must change no cohort of groups. */
export const makeScene = async (
  kind: ActorKind,
  service: ServiceHandle,
  of: CohortsOf,
  token: string,
  random: Random,
): Promise<Scene> => {
  const dynamic: number[] = [];
  const scene = { kind, service, token, of, random, dynamic, fixed: [] };
  if (kind === 'group') await capture(scene, ...groupEvents(scene));
  const members = actorFields(kind);
  for (const filters of definitionsOf(kind).slice(0, 3)) dynamic.push((await of.create({ ...members, filters })).id);
  const fixed = [(await of.create({ ...members, is_static: true, ...named(scene, 0) })).id];
  return { ...scene, fixed };
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

/** An event of a group, and one that describes it. */
const groupEvents = ({ random }: Pick<Scene, 'random'>): object[] => {
  const key = random.pick(keys);
  const event = { event: random.pick(['bought', 'opened']), distinct_id: random.pick(names) };
  return [
    { ...event, properties: { $groups: { account: key } } },
    describes('account', key, { plan: random.pick(plans) }),
  ];
};

const onGroup = async (scene: Scene, act: (group: GroupDto) => Promise<Answer>): Promise<void> => {
  const query = { group_type_index: 0, group_key: scene.random.pick(keys) };
  const { status, body } = await scene.of.call('GET', 'groups/find', { query });
  if (status === 200) done(await act(body as GroupDto));
};

type Step = readonly [name: string, weight: number, run: (scene: Scene) => Promise<void>];

const recalculate = async ({ of, random, dynamic }: Scene): Promise<void> =>
  done(await of.call('POST', `cohorts/${random.pick(dynamic)}/recalculate`, { query: { wait: 30 } }));

const steps: readonly Step[] = [
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
    async ({ kind, of, random, dynamic }) => {
      const body = { filters: random.pick(definitionsOf(kind)) };
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
    async (scene) => {
      const { of, random, fixed } = scene;
      const body = named(scene, 4);
      done(await of.call('PATCH', `cohorts/${random.pick(fixed)}`, { body, query: { wait: 30 } }));
    },
  ],
  [
    'adds',
    2,
    async (scene) => {
      const { of, random, fixed } = scene;
      const body = named(scene, 2);
      done(await of.call('PATCH', `cohorts/${random.pick(fixed)}/add_persons_to_static_cohort`, { body }));
    },
  ],
  [
    'removes',
    2,
    (scene) => {
      const path = `cohorts/${scene.random.pick(scene.fixed)}/remove_person_from_static_cohort`;
      return scene.kind === 'person'
        ? onPerson(scene, ({ id }) => scene.of.call('PATCH', path, { body: { person_id: id } }))
        : onGroup(scene, ({ id }) => scene.of.call('PATCH', path, { body: { group_id: id } }));
    },
  ],
];

const stepsOfGroups: readonly Step[] = [
  ['captures events of a group', 8, (scene) => capture(scene, ...groupEvents(scene))],
  ['deletes a group', 3, (scene) => onGroup(scene, ({ id }) => scene.of.call('DELETE', `groups/${id}`))],
];

export const stepsOf = (kind: ActorKind): readonly Step[] => (kind === 'person' ? steps : [...steps, ...stepsOfGroups]);

/** Waits until no cohort is being calculated. */
export const settled = async ({ of, dynamic, fixed }: Scene): Promise<void> => {
  for (const id of [...dynamic, ...fixed])
    for (let tries = 0; (await of.cohort(id)).is_calculating && tries < 300; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
};
