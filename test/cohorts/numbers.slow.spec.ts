import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { all, CohortsOf, did, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const runs = Number(process.env.COHORT_NUMBER_RUNS ?? 2);
const stepsEach = 18;

const operation = fc.record({
  kind: fc.constantFrom(
    'edit',
    'merge',
    'merge',
    'split',
    'delete',
    'upload',
    'add',
    'remove',
    'recalculate',
    'person',
  ),
  a: fc.nat(1000),
  b: fc.nat(1000),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** A project to which things happen, and who ought to be in its static cohort: ids of persons. */
class World {
  readonly members = new Set<number>();
  private made = 0;

  private constructor(
    readonly of: CohortsOf,
    private readonly token: string,
    readonly dynamic: readonly number[],
    readonly byHand: number,
  ) {}

  static async make(): Promise<World> {
    const project = await service.newProject();
    const of = new CohortsOf(service, project.id);
    const lines = Array.from({ length: 8 }, (_, n) => [
      personLine(n % 2 === 0 ? [`p${n}`, `p${n}-2`, `p${n}-3`] : [`p${n}`], { plan: n % 3 === 0 ? 'pro' : 'free' }),
      { type: 'event', event: 'seen', distinct_id: `p${n}`, timestamp: new Date().toISOString() },
    ]);
    await importLines(service, project.id, lines.flat());
    const pros = await of.create({ filters: all(where('plan', 'pro')) });
    const others = await of.create({ filters: all(did('never', { negation: true }), did('seen')) });
    const byHand = await of.create({ is_static: true, person_ids: [] });
    return new World(of, project.api_token, [pros.id, others.id], byHand.id);
  }

  async persons(): Promise<readonly PersonDto[]> {
    return ((await this.of.call('GET', 'persons', { query: { limit: 1000 } })).body as { results: PersonDto[] })
      .results;
  }

  async happen({ kind, a, b }: Operation): Promise<void> {
    const persons = await this.persons();
    const one = persons[a % persons.length];
    const other = persons[b % persons.length];
    if (!one || !other) return;
    const { of, byHand, members } = this;
    switch (kind) {
      case 'edit':
        return demand(
          of.call('PATCH', `persons/${one.id}`, { body: { properties: { plan: b % 2 ? 'pro' : 'free' } } }),
        );
      case 'merge':
        return this.merge(one, other);
      case 'split':
        return demand(of.call('POST', `persons/${one.id}/split`, { body: { main_distinct_id: one.distinct_ids[0] } }));
      case 'delete':
        if (persons.length < 4) return;
        members.delete(one.id);
        return demand(of.call('DELETE', `persons/${one.id}`));
      case 'upload': {
        const csv = [one, other].map(({ distinct_ids }) => distinct_ids.at(-1)).join('\n');
        const { status } = await of.upload('PATCH', `cohorts/${byHand}?wait=30`, {}, `${csv}\nnobody\n`);
        if (status !== 200) throw new Error(`upload: ${status}`);
        members.add(one.id).add(other.id);
        return;
      }
      case 'add':
        members.add(one.id);
        return demand(
          of.call('PATCH', `cohorts/${byHand}/add_persons_to_static_cohort`, { body: { person_ids: [one.uuid] } }),
        );
      case 'remove':
        members.delete(one.id);
        return demand(
          of.call('PATCH', `cohorts/${byHand}/remove_person_from_static_cohort`, { body: { person_id: one.id } }),
        );
      case 'recalculate':
        return void (await of.recalculate(this.dynamic[b % 2] ?? 0));
      case 'person':
        this.made += 1;
        return importLines(service, of.projectId, [personLine([`new-${this.made}`], { plan: 'pro' })]);
    }
  }

  private async merge(one: PersonDto, other: PersonDto): Promise<void> {
    const [into, alias] = [one.distinct_ids[0], other.distinct_ids[0]];
    if (one.id === other.id || into === undefined || alias === undefined) return;
    const event = { event: '$merge_dangerously', distinct_id: into, properties: { alias } };
    await demand(service.call('POST', '/batch', { key: null, body: { api_key: this.token, batch: [event] } }));
    const left = new Set((await this.persons()).map(({ id }) => id));
    const [gone, stays] = left.has(one.id) ? [other.id, one.id] : [one.id, other.id];
    if (left.has(gone)) throw new Error('no person was merged');
    if (this.members.delete(gone)) this.members.add(stays);
  }
}

const demand = async (answer: ReturnType<ServiceHandle['call']>): Promise<void> => {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
};

describe('the numbers of a cohort', () => {
  it('are one number, whatever happens to persons: count, members, list and CSV', async () => {
    const seed = Number(process.env.SEED ?? (runs > 2 ? Date.now() % 1_000_000 : 20_260_301));
    for (const [n, steps] of fc
      .sample(fc.array(operation, { minLength: stepsEach, maxLength: stepsEach }), { seed, numRuns: runs })
      .entries()) {
      const world = await World.make();
      for (const [at, step] of steps.entries()) {
        await world.happen(step);
        for (const id of [...world.dynamic, world.byHand]) {
          const place = { seed, n, at, kind: step.kind, id };
          const { count } = await world.of.cohort(id);
          const members = await world.of.members(id, { limit: 3 });
          const unique = new Set(members.map((person) => person.id)).size;
          expect({ ...place, members: members.length, unique }).toEqual({ ...place, members: count, unique: count });
          expect({ ...place, csv: await world.of.csvRows(id) }).toEqual({ ...place, csv: count });
        }
        const found = (await world.of.members(world.byHand)).map(({ id }) => id).sort((a, b) => a - b);
        expect({ seed, n, at, step, found }).toEqual({
          ...{ seed, n, at, step },
          found: [...world.members].sort((a, b) => a - b),
        });
      }
    }
  });
});
