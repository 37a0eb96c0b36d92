import fc from 'fast-check';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { NaiveWorld } from '../identity-naive.js';
import { type ServiceHandle } from '../service-handle.js';
import { type Clock } from './buckets.js';
import { leaf, type Leaf } from './filters.js';
import { capture, importLines, personLine, wireEvent } from './load.js';
import { identityEventOf, mergeEvent, nameOf, type Model } from './model.js';
import {
  distinctIds,
  eventsNear,
  ghost,
  moreClockChanges,
  personsNear,
  timeNear,
  type StreamEvent,
  type StreamMerge,
  type StreamPerson,
} from './stream.js';

/** What may happen between two questions. */
export type Turn =
  | { readonly kind: 'events'; readonly events: readonly StreamEvent[] }
  | { readonly kind: 'merge'; readonly merge: StreamMerge }
  /** The person of `distinctId` gives away that id, or all others. */
  | { readonly kind: 'split'; readonly distinctId: string; readonly keeps: boolean }
  | { readonly kind: 'remove'; readonly distinctId: string };

/** What a project has at first, and what happens to it then. */
export interface History extends Clock {
  /** The present of every question, which the ranges count back from. */
  readonly now: Date;
  readonly persons: readonly StreamPerson[];
  /** What describes the groups that events name. */
  readonly groups?: readonly { readonly timestamp: Date }[];
  readonly events: readonly StreamEvent[];
  readonly turns: readonly Turn[];
  readonly testAccountFilters: readonly Leaf[];
}

const turnNear = (change: number): fc.Arbitrary<Turn> => {
  const id = fc.constantFrom(...distinctIds);
  const merge = fc
    .record({
      uuid: fc.uuid({ version: 4 }),
      kind: fc.constantFrom('identify' as const, 'alias' as const),
      distinctId: id,
      other: fc.constantFrom(...distinctIds, ghost),
      timestamp: timeNear(change),
    })
    .filter(({ distinctId, other }) => distinctId !== other);
  return fc.oneof(
    { weight: 3, arbitrary: merge.map((merge) => ({ kind: 'merge' as const, merge })) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('split' as const), distinctId: id, keeps: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), distinctId: id }) },
    { weight: 1, arbitrary: eventsNear(change, 4, 1).map((events) => ({ kind: 'events' as const, events })) },
  );
};

/** Few persons doing few things around a change of the project's clocks. */
export const history: fc.Arbitrary<History> = fc
  .constantFrom(
    ...Object.entries(moreClockChanges).flatMap(([zone, times]) => times.map((time) => [zone, time] as const)),
  )
  .chain(([zone, time]) => {
    const change = Date.parse(time);
    const hours = fc.oneof(fc.integer({ min: -4, max: 30 }), fc.integer({ min: -24, max: 16 * 24 }));
    return fc.record({
      zone: fc.constant(zone),
      weekStartDay: fc.constantFrom(0, 1, 6),
      now: hours.map((count) => new Date(change + count * 3_600_000 + 754_321)),
      persons: personsNear(change),
      events: eventsNear(change, 16, 6),
      turns: fc.array(turnNear(change), { minLength: 1, maxLength: 3 }),
      testAccountFilters: fc.array(leaf, { maxLength: 1 }),
    });
  });

/** The history as far as it has come, on plain lists. */
export class World {
  private readonly identity: NaiveWorld;
  private readonly events: StreamEvent[];

  constructor(private readonly history: History) {
    this.events = [...history.events];
    this.identity = new NaiveWorld(
      history.persons.map(({ distinctIds: ids, properties, createdAt, isIdentified }, n) => ({
        ids: [...ids],
        properties: { ...properties },
        createdAt: createdAt.getTime(),
        isIdentified,
        stored: String(n),
      })),
    );
  }

  idsWith(distinctId: string): readonly string[] {
    return this.identity.find(distinctId)?.ids ?? [];
  }

  take(turn: Turn): void {
    const { identity } = this;
    if (turn.kind === 'events') this.events.push(...turn.events);
    if (turn.kind === 'remove') {
      identity.persons = identity.persons.filter(({ ids }) => !ids.includes(turn.distinctId));
    }
    if (turn.kind === 'split') {
      const person = identity.find(turn.distinctId);
      const leaving = leavingWith(turn, person?.ids ?? []);
      if (!person || leaving.length === 0) return;
      person.ids = person.ids.filter((id) => !leaving.includes(id));
      const createdAt = this.history.now.getTime();
      for (const id of leaving)
        identity.persons.push({ ids: [id], properties: {}, createdAt, isIdentified: false, stored: id });
    }
    if (turn.kind === 'merge') {
      this.events.push(mergeEvent(turn.merge));
      identity.receive([identityEventOf(turn.merge)]);
      for (const person of identity.persons) person.stored ??= 'made';
    }
  }

  model(): Model {
    const persons = this.identity.persons.map(({ ids, properties, createdAt }) => ({
      name: nameOf(ids),
      distinctIds: ids,
      properties,
      createdAt: new Date(createdAt),
    }));
    const events = this.events.map((event) => {
      return { ...event, person: persons.find(({ distinctIds: ids }) => ids.includes(event.distinctId)) ?? null };
    });
    return { persons, events };
  }
}

const leavingWith = ({ distinctId, keeps }: Turn & { kind: 'split' }, ids: readonly string[]): string[] =>
  ids.length < 2 ? [] : keeps ? ids.filter((id) => id !== distinctId) : [distinctId];

/** A project with what the history has at first, and the way to let it go on. */
export const beginHistory = async (service: ServiceHandle, history: History) => {
  const { zone: timezone, weekStartDay: week_start_day, testAccountFilters, now, groups = [] } = history;
  const body = { name: 'History', timezone, week_start_day, test_account_filters: testAccountFilters };
  const project = (await service.call('POST', '/api/projects', { body })).body as { id: number; api_token: string };
  const eventLine = (event: StreamEvent) => ({ type: 'event', ...wireEvent(event) });
  const add = (lines: readonly object[]) => importLines(service, project, lines, '?create_persons=false');
  await add([...history.persons.map(personLine), ...groups, ...history.events.map(eventLine)]);

  const path = `/api/projects/${project.id}/persons`;
  const headers = { 'X-Test-Now': now.toISOString() };
  const demand = ({ status, body: answer }: { status: number; body: unknown }) => {
    if (status !== 200) throw new Error(`a turn was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const goOn = async (world: World, turn: Turn): Promise<void> => {
    if (turn.kind === 'events') await add(turn.events.map(eventLine));
    if (turn.kind === 'merge') await capture(service, project, mergeEvent(turn.merge));
    const ids = turn.kind === 'split' || turn.kind === 'remove' ? world.idsWith(turn.distinctId) : [];
    if (turn.kind === 'remove' && ids.length > 0) {
      const gone = { distinct_ids: [turn.distinctId] };
      demand(await service.call('POST', `${path}/bulk_delete`, { body: gone, headers }));
    }
    if (turn.kind === 'split' && ids.length > 0) {
      const query = { distinct_id: turn.distinctId };
      const found = demand(await service.call('GET', path, { query })) as { results: PersonDto[] };
      const body = turn.keeps ? { main_distinct_id: turn.distinctId } : { distinct_ids_to_split: [turn.distinctId] };
      demand(await service.call('POST', `${path}/${found.results[0]?.id}/split`, { body, headers }));
    }
    world.take(turn);
  };
  return { project, path, headers, goOn };
};
