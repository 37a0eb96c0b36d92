import fc from 'fast-check';
import { type PreviewDto } from '../../../src/cohorts/preview/preview.dto.js';
import { importLines, loadStream } from '../insights/load.js';
import { modelOf, personName } from '../insights/model.js';
import { stream } from '../insights/stream.js';
import { type ServiceHandle } from '../service-handle.js';
import { CohortsOf } from './cohorts-of.js';
import { actionSteps, definition } from './arbitraries.js';
import { type ActorKind, actorFields, groupLines, inGroups, subjectsOf } from './subjects.js';
import { type Group, naiveMembers, type NaiveScene, type Step } from './naive.js';

/** Random definitions over random streams: the service and the naive reading must find the same persons, or groups. */
export const findDisagreements = async (
  service: ServiceHandle,
  { kind, streams, definitionsEach, seed }: { kind: ActorKind; streams: number; definitionsEach: number; seed: number },
): Promise<{ compared: number; telling: number; disagreements: object[] }> => {
  const disagreements: object[] = [];
  let compared = 0;
  let telling = 0;
  for (const [n, sampled] of fc.sample(stream({ maxEvents: 40 }), { seed, numRuns: streams }).entries()) {
    const drawn = kind === 'person' ? sampled : inGroups(sampled);
    const project = await loadStream(service, drawn);
    if (kind === 'group') await importLines(service, project, groupLines(drawn));
    const of = new CohortsOf(service, project.id);
    const model = modelOf(drawn);
    const who = subjectsOf(kind, drawn, model);
    const last = Math.max(
      Date.parse('2024-01-01T00:00:00Z'),
      ...model.events.map(({ timestamp }) => timestamp.getTime()),
    );
    const now = new Date(last - (n % 3) * 2 * 86_400_000);
    const headers = { 'X-Test-Now': now.toISOString() };
    const actions = await saveActions(of, seed + n);
    const scene: NaiveScene = { model, ...who, clock: drawn, now, cohorts: new Map(), actions };
    const stored = await store(of, kind, scene, headers, seed + n);
    const withCohorts = { ...scene, cohorts: stored };
    const drawnDefinitions = fc.sample(
      definition(now, { kind, cohorts: [...stored.keys()], actions: [...actions.keys()] }),
      {
        seed: seed + n,
        numRuns: definitionsEach,
      },
    );
    for (const properties of drawnDefinitions) {
      const expected = naiveMembers(properties, withCohorts);
      const answer = await of.call('POST', 'cohorts/preview', {
        body: { ...actorFields(kind), filters: { properties } },
        headers,
      });
      const { count, results, groups = [] } = answer.body as PreviewDto;
      const names = () => (kind === 'person' ? results.map(personName) : groups.map((group) => group.group_key));
      const found = answer.status === 200 ? names().sort() : [answer.text];
      compared += 1;
      if (expected.length > 0 && expected.length < who.subjects.length) telling += 1;
      if (count === expected.length && found.join() === expected.join()) continue;
      disagreements.push({
        seed: seed + n,
        now,
        kind,
        zone: drawn.zone,
        properties: JSON.stringify(properties),
        expected,
        found,
        count,
      });
    }
  }
  return { compared, telling, disagreements };
};

/** Two actions for definitions to name. */
const saveActions = async (of: CohortsOf, seed: number): Promise<ReadonlyMap<number, readonly Step[]>> => {
  const actions = new Map<number, readonly Step[]>();
  for (const steps of fc.sample(actionSteps, { seed, numRuns: 2 })) {
    const answer = await of.call('POST', 'actions', { body: { name: 'An action', steps } });
    if (answer.status !== 201) throw new Error(answer.text);
    actions.set((answer.body as { id: number }).id, steps);
  }
  return actions;
};

/** A calculated cohort for others to refer to; that it was calculated right is compared as well. */
const store = async (
  of: CohortsOf,
  kind: ActorKind,
  scene: NaiveScene,
  headers: Readonly<Record<string, string>>,
  seed: number,
): Promise<ReadonlyMap<number, readonly string[]>> => {
  const [properties] = fc.sample(definition(scene.now, { kind, cohorts: [], actions: [...scene.actions.keys()] }), {
    seed,
    numRuns: 1,
  }) as [Group];
  const made = await of.create({ ...actorFields(kind), filters: { properties } }, { headers });
  const members = naiveMembers(properties, scene);
  const found = kind === 'person' ? (await of.members(made.id)).map(personName).sort() : await of.groupKeys(made.id);
  if (found.join() !== members.join() || made.count !== members.length) {
    throw new Error(`calculated ${found.join()}, expected ${members.join()}: ${JSON.stringify(properties)}`);
  }
  return new Map([[made.id, members]]);
};
