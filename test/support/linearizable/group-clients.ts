import { randomUUID } from 'node:crypto';
import { odds } from '../../../src/app/demo/random.js';
import { type GroupDto } from '../../../src/groups/group.dto.js';
import { type GroupsInput, type GroupsResult, type SeenGroup } from './groups.js';
import { HistoryClient, type Reply } from './history-client.js';

/** The only type of groups of the project, which has the index 0. */
const type = 'account';
const keys = ['plan', 'city', 'seats'];

const seenOf = ({ id, group_key: key, group_properties: properties }: GroupDto): SeenGroup => ({
  id: String(id),
  key,
  properties: properties as Record<string, unknown>,
});

const groupOf = ({ status, body }: Reply): GroupsResult | undefined => {
  if (status === 200 || status === 201) return seenOf(body as GroupDto);
  if (status === 404) return 'missing';
  return status === 409 ? 'exists' : undefined;
};

/** A client of groups. */
export class GroupClient extends HistoryClient<GroupsInput, GroupsResult> {
  override async doSomething(): Promise<void> {
    const key = this.random.pick(this.names);
    const work = this.random.of(
      odds<() => Promise<void>>([
        [() => this.describe(key), 6],
        [() => this.mention(key), 2],
        [() => this.read(key), 8],
        [() => this.create(key), 1],
        [() => this.edit(key), 3],
        [() => this.delete(key), 2],
      ]),
    );
    await work();
  }

  private describe(key: string): Promise<void> {
    const some = (chance: number) => (this.random.chance(chance) ? { [this.random.pick(keys)]: this.value() } : {});
    const [set, setOnce] = [some(0.7), some(0.3)];
    const unset = this.random.chance(0.2) ? [this.random.pick(keys)] : [];
    const operators = { $group_set: set, $group_set_once: setOnce, $group_unset: unset };
    return this.capture({ kind: 'capture', key, change: { set, setOnce, unset } }, [
      this.event('$groupidentify', { $group_type: type, $group_key: key, ...operators }),
    ]);
  }

  private mention(key: string): Promise<void> {
    return this.capture({ kind: 'capture', key, change: null }, [this.event('used', { $groups: { [type]: key } })]);
  }

  private event(event: string, properties: object): object {
    return { uuid: randomUUID(), event, distinct_id: `crm ${this.names[0]}`, timestamp: new Date(), properties };
  }

  private read(key: string): Promise<void> {
    const query = new URLSearchParams({ group_type_index: '0', group_key: key });
    return this.record({ kind: 'read', key }, async () =>
      groupOf(await this.ask('GET', `groups/find?${query.toString()}`)),
    );
  }

  private create(key: string): Promise<void> {
    const properties = { [this.random.pick(keys)]: this.value() };
    const body = { group_type: type, group_key: key, group_properties: properties };
    return this.record({ kind: 'create', key, properties }, async () =>
      groupOf(await this.ask('POST', 'groups', body)),
    );
  }

  private edit(key: string): Promise<void> {
    if (this.ids.size === 0) return this.read(key);
    const id = this.random.pick([...this.ids]);
    const properties = { [this.random.pick(keys)]: this.random.chance(0.3) ? null : this.value() };
    return this.record({ kind: 'edit', id, properties }, async () =>
      groupOf(await this.ask('PATCH', `groups/${id}`, { group_properties: properties })),
    );
  }

  private delete(key: string): Promise<void> {
    if (this.ids.size === 0) return this.read(key);
    const id = this.random.pick([...this.ids]);
    return this.record({ kind: 'delete', id }, async () => {
      const reply = await this.ask('DELETE', `groups/${id}`);
      return reply.status === 204 ? 'done' : groupOf(reply);
    });
  }
}
