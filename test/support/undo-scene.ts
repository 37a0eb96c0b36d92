import { expect } from '@jest/globals';
import { type Random } from '../../src/events/seed/random.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type PersonMergeDto } from '../../src/events/person-undo/person-undo.dto.js';
import { personUuid } from '../../src/persons/identity/person-uuid.js';
import { PeopleOf } from './people.js';
import { type ServiceHandle } from './service-handle.js';

interface Sent {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
  /** Under this number the merge is undone in the end; the event then merges nothing in the other project. */
  merge?: number;
}

/** What one project has at the end, in the words that two projects have in common. */
export interface FinalState {
  readonly persons: readonly unknown[];
  readonly funnel: unknown;
  readonly trend: unknown;
}

const keys = ['plan', 'city', 'theme', 'size'];

/** A project in which random persons are merged and merges undone, and the events that were sent to it. */
export class UndoScene {
  private readonly sent: Sent[] = [];
  /** The persons by their first ids: which ids each has, and into which person it was merged. */
  private readonly groups = new Map<string, { ids: string[]; uuid: string; into: string | null; merge: number }>();
  private readonly undone = new Set<number>();
  /** Events that go into the next request together. */
  private waiting: Sent[] = [];
  private minute = 0;
  private numbers = 0;

  private constructor(
    private readonly service: ServiceHandle,
    private readonly random: Random,
    private readonly people: PeopleOf,
    private readonly token: string,
  ) {}

  static async open(service: ServiceHandle, random: Random): Promise<UndoScene> {
    const { id, api_token } = await service.newProject();
    return new UndoScene(service, random, new PeopleOf(service, id), api_token);
  }

  get undoneMerges(): number {
    return this.undone.size;
  }

  async makePerson(): Promise<void> {
    const id = `id${this.groups.size}`;
    this.groups.set(id, { ids: [id], uuid: personUuid(this.people.projectId, id), into: null, merge: 0 });
    await this.change(id);
  }

  async changeAny(): Promise<void> {
    await this.change(this.random.pick(this.allIds()));
  }

  /** A new id of a person, which a merging event names with an id of the person. */
  async addId(): Promise<void> {
    const [owner, { ids }] = this.random.pick([...this.groups]);
    const id = `${owner}-more${(this.numbers += 1)}`;
    const named = this.random.pick(ids);
    await this.send(this.random.chance(0.5) ? '$create_alias' : '$merge_dangerously', named, { alias: id });
    ids.push(id);
    await this.change(id);
  }

  async merge(): Promise<void> {
    const live = [...this.groups].filter(([, { into }]) => into === null);
    if (live.length < 2) return;
    const [merged, group] = this.random.pick(live);
    const others = this.allIds().filter((id) => this.rootOf(id) !== merged);
    const merge = (this.numbers += 1);
    const survivor = this.random.pick(others);
    group.into = this.groupOf(survivor);
    group.merge = merge;
    await this.send('$merge_dangerously', survivor, { alias: merged, $set: { by: merge } }, merge);
  }

  /** Undoes any merge that is in effect, wherever its persons are now. */
  async undo(): Promise<boolean> {
    const merged = [...this.groups].filter(([, { into }]) => into !== null);
    if (merged.length === 0) return false;
    const [name, group] = this.random.pick(merged);
    const root = await this.person(name);
    const list = (await this.people.call('GET', `persons/${root.id}/merges`, { query: { limit: 1000 } })).body as {
      results: PersonMergeDto[];
    };
    const record = list.results.find(({ merged: { uuid }, undone_at }) => undone_at === null && uuid === group.uuid);
    expect(record).toMatchObject({ can_undo: true });
    const answer = await this.people.call('POST', `persons/${root.id}/merges/${record?.id ?? 0}/undo`);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id: root.id })]);
    this.undone.add(group.merge);
    group.into = null;
    return true;
  }

  /** The same events in a project of its own, in which merges that were undone never happened. */
  async withoutUndone(): Promise<UndoScene> {
    const other = await UndoScene.open(this.service, this.random);
    await this.flush();
    for (const { merge, ...event } of this.sent) {
      const { alias, ...rest } = event.properties;
      await other.post([
        { ...event, properties: merge !== undefined && this.undone.has(merge) ? rest : event.properties },
      ]);
      void alias;
    }
    return other;
  }

  async state(): Promise<FinalState> {
    await this.flush();
    const range = { date_from: '2024-01-01', date_to: '2024-01-31' };
    const funnel = await this.people.call('GET', 'persons/funnel', {
      query: {
        ...range,
        events: '[{"id":"set"},{"id":"$merge_dangerously"}]',
        breakdown: 'city',
        breakdown_type: 'person',
      },
    });
    const trend = await this.people.call('GET', 'persons/trends', {
      query: {
        ...range,
        interval: 'hour',
        events: '[{"id":null,"math":"dau"}]',
        breakdown: 'plan',
        breakdown_type: 'person',
      },
    });
    const { results } = (await this.people.call('GET', 'persons', { query: { limit: 1000 } })).body as {
      results: PersonDto[];
    };
    const persons = await Promise.all(
      results.map(async ({ id, uuid, name, ...person }) => ({
        ...person,
        distinct_ids: person.distinct_ids.sort(),
        known: [typeof id, typeof uuid, typeof name],
        events: (await this.people.events({ person_id: id, limit: 1000 }))
          .map(({ event, distinct_id, timestamp }) => `${timestamp} ${event} ${distinct_id}`)
          .sort(),
      })),
    );
    const answers = [funnel, trend].map(({ body }) => {
      const { as_of, ...insight } = (body as { insight: { as_of: string } }).insight;
      void as_of;
      return insight;
    });
    return {
      persons: persons.sort((a, b) => ((a.distinct_ids[0] ?? '') < (b.distinct_ids[0] ?? '') ? -1 : 1)),
      funnel: answers[0],
      trend: answers[1],
    };
  }

  private allIds(): string[] {
    return [...this.groups.values()].flatMap(({ ids }) => ids);
  }

  private groupOf(distinctId: string): string {
    return [...this.groups].find(([, { ids }]) => ids.includes(distinctId))?.[0] ?? '';
  }

  private rootOf(distinctId: string): string {
    let name = this.groupOf(distinctId);
    for (let into = this.groups.get(name)?.into; into; into = this.groups.get(name)?.into) name = into;
    return name;
  }

  private async person(distinctId: string): Promise<PersonDto> {
    await this.flush();
    const answer = await this.people.call('GET', 'persons', { query: { distinct_id: distinctId } });
    const [person] = (answer.body as { results: PersonDto[] }).results;
    if (!person) throw new Error(`no person of ${distinctId}`);
    return person;
  }

  private async change(distinctId: string): Promise<void> {
    const key = this.random.pick(keys);
    const value = `${key} ${(this.numbers += 1)}`;
    const operator = this.random.pick(['$set', '$set', '$set_once', '$unset']);
    await this.send('set', distinctId, { [operator]: operator === '$unset' ? [key] : { [key]: value } });
  }

  private async send(event: string, distinctId: string, properties: Record<string, unknown>, merge?: number) {
    const timestamp = new Date(Date.UTC(2024, 0, 10, 0, (this.minute += 7))).toISOString();
    const sent: Sent = { event, distinct_id: distinctId, timestamp, properties };
    this.sent.push(merge === undefined ? sent : { ...sent, merge });
    this.waiting.push(sent);
    if (this.random.chance(0.4)) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.waiting.length > 0) await this.post(this.waiting);
    this.waiting = [];
  }

  private async post(batch: readonly Sent[]): Promise<void> {
    const answer = await this.service.call('POST', '/batch', { key: null, body: { api_key: this.token, batch } });
    expect(answer.body).toMatchObject({ accepted: batch.length, rejected: [] });
  }
}
