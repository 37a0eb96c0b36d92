import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { odds, type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { type Operation } from './linearize.js';
import { type PersonsInput, type PersonsResult, type SeenPerson } from './persons.js';

export type PersonOperation = Operation<PersonsInput, PersonsResult>;

export interface Target {
  /** Several for processes that share their stores; they may be other ones after a kill. */
  readonly urls: () => readonly string[];
  readonly projectId: number;
  readonly token: string;
  readonly key: string;
}

const keys = ['plan', 'city', 'seats'];
const merges = [
  ['$identify', 'identify', '$anon_distinct_id'],
  ['$create_alias', 'alias', 'alias'],
  ['$merge_dangerously', 'merge_dangerously', 'alias'],
] as const;

interface Captured {
  /** As it is sent. */
  readonly raw: object;
  /** What it says. */
  readonly meaning: IdentityEvent;
}

const captured = (random: Random, names: readonly string[], value: () => number): Captured => {
  const distinctId = random.pick(names);
  const other = random.pick(names);
  const [event, kind, property] = random.pick(merges);
  const isMerge = random.chance(0.4);
  const set = random.chance(0.6) ? { [random.pick(keys)]: value() } : {};
  const setOnce = random.chance(0.2) ? { [random.pick(keys)]: value() } : {};
  const unset = random.chance(0.15) ? [random.pick(keys)] : [];
  const uuid = randomUUID();
  const timestamp = new Date();
  const properties = { $set: set, $set_once: setOnce, $unset: unset, ...(isMerge && { [property]: other }) };
  return {
    raw: { uuid, event: isMerge ? event : 'seen', distinct_id: distinctId, timestamp, properties },
    meaning: {
      uuid,
      event: isMerge ? event : 'seen',
      distinctId,
      timestamp,
      person: { process: true, set, setOnce, unset, momentary: {} },
      merge: isMerge && other !== distinctId ? { kind, otherDistinctId: other } : null,
      identifies: isMerge && event === '$identify',
    },
  };
};

const seenOf = ({ id, distinct_ids: ids, properties, is_identified: isIdentified }: PersonDto): SeenPerson => ({
  id: String(id),
  ids,
  properties: properties as Record<string, unknown>,
  isIdentified,
});

/** Nothing listened, so nothing was sent. */
class NothingSent extends Error {}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A client that does one thing after the other, and remembers the ids of the persons it has seen. */
class PersonClient {
  readonly operations: PersonOperation[] = [];
  private readonly ids = new Set<string>();
  private values = 0;

  constructor(
    private readonly target: Target,
    private readonly names: readonly string[],
    private readonly random: Random,
    private readonly place: number,
  ) {}

  async doSomething(): Promise<void> {
    const work = this.random.of(
      odds<() => Promise<void>>([
        [() => this.capture(), 8],
        [() => this.read(), 8],
        [() => this.edit(), 3],
        [() => this.split(), 2],
        [() => this.delete(), 1],
      ]),
    );
    await work();
  }

  private capture(): Promise<void> {
    const count = this.random.pick([1, 1, 2]);
    // Each value is written once, so that a read says whose write it has seen.
    const value = () => this.place * 1000 + (this.values += 1);
    const events = Array.from({ length: count }, () => captured(this.random, this.names, value));
    const body = { api_key: this.target.token, batch: events.map(({ raw }) => raw) };
    return this.record({ kind: 'capture', events: events.map(({ meaning }) => meaning) }, async () => {
      const { status } = await this.send('POST', '/batch', body);
      return status === 200 ? 'done' : undefined;
    });
  }

  private read(): Promise<void> {
    const distinctId = this.random.pick(this.names);
    return this.record({ kind: 'read', distinctId }, async () => {
      const { status, body } = await this.ask('GET', `persons?distinct_id=${encodeURIComponent(distinctId)}`);
      if (status !== 200) return undefined;
      const [person] = (body as { results: PersonDto[] }).results;
      return person ? seenOf(person) : 'missing';
    });
  }

  private async edit(): Promise<void> {
    if (this.ids.size === 0) return this.read();
    const id = this.random.pick([...this.ids]);
    const properties = { [this.random.pick(keys)]: this.place * 1000 + (this.values += 1) };
    return this.record({ kind: 'edit', id, properties }, async () =>
      personOf(await this.ask('PATCH', `persons/${id}`, { properties })),
    );
  }

  private async split(): Promise<void> {
    if (this.ids.size === 0) return this.read();
    const id = this.random.pick([...this.ids]);
    const distinctId = this.random.pick(this.names);
    return this.record({ kind: 'split', id, distinctId }, async () =>
      personOf(await this.ask('POST', `persons/${id}/split`, { distinct_ids_to_split: [distinctId] })),
    );
  }

  private delete(): Promise<void> {
    const distinctId = this.random.pick(this.names);
    return this.record({ kind: 'delete', distinctId }, async () => {
      const { status, body } = await this.ask('POST', 'persons/bulk_delete', { distinct_ids: [distinctId] });
      if (status !== 200) return undefined;
      return (body as { deleted: number }).deleted === 1 ? 'done' : 'missing';
    });
  }

  private async record(input: PersonsInput, work: () => Promise<PersonsResult | undefined>): Promise<void> {
    for (;;) {
      const began = performance.now();
      try {
        const result = await work();
        this.operations.push({ input, began, ended: result === undefined ? Infinity : performance.now(), result });
        if (typeof result === 'object') this.ids.add(result.id);
        return;
      } catch (error) {
        if (!(error instanceof NothingSent)) throw error;
        await sleep(20);
      }
    }
  }

  private ask(method: string, path: string, body?: object): Promise<Reply> {
    return this.send(method, `/api/projects/${this.target.projectId}/${path}`, body);
  }

  /** Status 0: the connection ended without an answer. */
  private async send(method: string, path: string, body?: object): Promise<Reply> {
    try {
      const answer = await fetch(this.random.pick(this.target.urls()) + path, {
        method,
        headers: { Authorization: `Bearer ${this.target.key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      if (cause?.code === 'ECONNREFUSED') throw new NothingSent();
      return { status: 0, body: null };
    }
  }
}

const personOf = ({ status, body }: Reply): PersonsResult | undefined => {
  if (status === 200) return seenOf(body as PersonDto);
  if (status === 404) return 'missing';
  return status === 400 ? 'refused' : undefined;
};

export interface HistorySize {
  readonly clients: number;
  readonly operations: number;
  readonly distinctIds: number;
}

/** What clients that know the same few distinct ids did at the same time, with what they were answered. */
export const recordHistory = async (
  target: Target,
  name: string,
  random: Random,
  { clients, operations, distinctIds }: HistorySize,
): Promise<readonly PersonOperation[]> => {
  const names = Array.from({ length: distinctIds }, (_, at) => `${name} ${'abcdefgh'[at]}`);
  const all = Array.from({ length: clients }, (_, at) => new PersonClient(target, names, random, at + 1));
  await Promise.all(
    all.map(async (client) => {
      for (let count = 0; count < operations; count += 1) await client.doSomething();
    }),
  );
  return all.flatMap((client) => client.operations);
};
