import { expect } from '@jest/globals';
import { type Random } from '../../src/app/demo/random.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type PersonMergeDto } from '../../src/persons/undo/person-undo.dto.js';
import { personUuid } from '../../src/kernel/identity/person-ref.js';
import { PersonsOf } from './persons.js';
import { type ServiceHandle } from './service-handle.js';

interface Sent {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Record<string, unknown>;
  /** Under this number the merge is undone in the end; the event then merges nothing in the other project. */
  merge?: number;
}

interface Group {
  readonly ids: string[];
  readonly uuid: string;
  /** The person into which it was merged. */
  into: string | null;
  merge: number;
}

/** A distinct id that was split off; when it came back by an undo, it stays where it was in the other project. */
interface SplitOff {
  readonly distinctId: string;
  /** The first id of the group to which it belongs, and that of the person from which it left. */
  readonly group: string;
  readonly root: string;
  isUndone: boolean;
}

/** What one project has at the end, in the words that two projects have in common. */
export interface FinalState {
  readonly persons: readonly unknown[];
  readonly funnel: unknown;
  readonly trend: unknown;
}

const keys = ['plan', 'city', 'theme', 'size'];

/** A project in which random persons are merged and split, and that undone, and what was sent to it. */
export class UndoScene {
  private readonly sent: (Sent | SplitOff)[] = [];
  /** The persons by their first ids. */
  private readonly groups = new Map<string, Group>();
  private readonly undone = new Set<number>();
  private readonly splits: SplitOff[] = [];
  /** Events that go into the next request together. */
  private waiting: Sent[] = [];
  private minute = 0;
  private numbers = 0;

  private constructor(
    private readonly service: ServiceHandle,
    private readonly random: Random,
    private readonly people: PersonsOf,
    private readonly token: string,
  ) {}

  static async open(service: ServiceHandle, random: Random): Promise<UndoScene> {
    const { id, api_token } = await service.newProject();
    return new UndoScene(service, random, new PersonsOf(service, id), api_token);
  }

  get undoneMerges(): number {
    return this.undone.size;
  }

  get undoneSplits(): number {
    return this.splits.filter(({ isUndone }) => isUndone).length;
  }

  async makePerson(): Promise<void> {
    const id = `id${this.groups.size}`;
    this.groups.set(id, { ids: [id], uuid: personUuid(this.people.projectId, id), into: null, merge: 0 });
    await this.change(id);
  }

  async changeAny(): Promise<void> {
    const splitOff = this.splits.flatMap(({ distinctId, isUndone }) => (isUndone ? [] : [distinctId]));
    await this.change(this.random.pick([...this.allIds(), ...splitOff]));
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

  /** Splits an id off that no merge names. Its person changes, and is neither merged nor split. */
  async split(): Promise<void> {
    const several = [...this.groups].filter(([, { ids }]) => ids.length > 1);
    if (several.length === 0) return;
    const [group, { ids }] = this.random.pick(several);
    const distinctId = this.random.pick(ids.slice(1));
    const root = this.rootOf(group);
    await this.splitOff(distinctId);
    ids.splice(ids.indexOf(distinctId), 1);
    const split = { distinctId, group, root, isUndone: false };
    this.splits.push(split);
    this.sent.push(split);
  }

  private async splitOff(distinctId: string): Promise<void> {
    const { id } = await this.person(distinctId);
    const body = { distinct_ids_to_split: [distinctId] };
    const answer = await this.people.call('POST', `persons/${id}/split`, { body });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id })]);
  }

  /** Undoes the latest split of a person that is not merged. */
  async undoSplit(): Promise<boolean> {
    const open = this.splits.filter(({ root, isUndone }) => !isUndone && this.rootOf(root) === root);
    if (open.length === 0) return false;
    const { root } = this.random.pick(open);
    const split = open.findLast((each) => each.root === root) as SplitOff;
    const { id } = await this.person(root);
    const answer = await this.people.call('POST', `persons/${id}/split/undo`);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id })]);
    split.isUndone = true;
    this.groups.get(split.group)?.ids.push(split.distinctId);
    return true;
  }

  /** Undoes any merge that is in effect, wherever its persons are now. Returns false when none can be undone. */
  async undo(): Promise<boolean> {
    const merged = [...this.groups].filter(([, { into }]) => into !== null);
    const first = this.random.between(0, merged.length);
    for (const [name, group] of [...merged.slice(first), ...merged.slice(0, first)])
      if (await this.undoMerge(name, group)) return true;
    return false;
  }

  private async undoMerge(name: string, group: Group): Promise<boolean> {
    const root = await this.person(name);
    const list = (await this.people.call('GET', `persons/${root.id}/merges`, { query: { limit: 1000 } })).body as {
      results: PersonMergeDto[];
    };
    const record = list.results.find(({ merged: { uuid }, undone_at }) => undone_at === null && uuid === group.uuid);
    const answer = await this.people.call('POST', `persons/${root.id}/merges/${record?.id ?? 0}/undo`);
    const hasSplits = this.splits.some(({ isUndone }) => !isUndone);
    if (hasSplits && answer.status === 409) {
      expect(answer.body).toMatchObject({ detail: expect.stringMatching(/split off since|undo the split/) });
      return false;
    }
    expect(record).toMatchObject({ can_undo: true });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id: root.id })]);
    this.undone.add(group.merge);
    group.into = null;
    return true;
  }

  /** The same events in a project of its own, in which merges and splits that were undone never happened. */
  async withoutUndone(): Promise<UndoScene> {
    const other = await UndoScene.open(this.service, this.random);
    await this.flush();
    for (const sent of this.sent) {
      if ('isUndone' in sent) {
        if (sent.isUndone) continue;
        await other.splitOff(sent.distinctId);
        other.splits.push(sent);
        continue;
      }
      const { merge, ...event } = sent;
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
      results.map(async ({ id, uuid, name, created_at, ...person }) => ({
        ...person,
        // A split makes its persons at the moment of the request.
        created_at: this.isSplitOff(person.distinct_ids) ? 'then' : created_at,
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

  private isSplitOff(distinctIds: readonly string[]): boolean {
    return this.splits.some(({ distinctId, isUndone }) => !isUndone && distinctIds.includes(distinctId));
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
