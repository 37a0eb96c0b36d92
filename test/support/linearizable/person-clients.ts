import { randomUUID } from 'node:crypto';
import { odds, type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { HistoryClient, type Reply } from './history-client.js';
import { type PersonsInput, type PersonsResult, type SeenPerson } from './persons.js';

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

/** A client of persons. */
export class PersonClient extends HistoryClient<PersonsInput, PersonsResult> {
  override async doSomething(): Promise<void> {
    const work = this.random.of(
      odds<() => Promise<void>>([
        [() => this.captureSome(), 8],
        [() => this.read(), 8],
        [() => this.edit(), 3],
        [() => this.split(), 2],
        [() => this.delete(), 1],
      ]),
    );
    await work();
  }

  private captureSome(): Promise<void> {
    const count = this.random.pick([1, 1, 2]);
    const events = Array.from({ length: count }, () => captured(this.random, this.names, () => this.value()));
    return this.capture(
      { kind: 'capture', events: events.map(({ meaning }) => meaning) },
      events.map(({ raw }) => raw),
    );
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
    const properties = { [this.random.pick(keys)]: this.value() };
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
}

const personOf = ({ status, body }: Reply): PersonsResult | undefined => {
  if (status === 200) return seenOf(body as PersonDto);
  if (status === 404) return 'missing';
  return status === 400 ? 'refused' : undefined;
};
