import { type GroupDto } from '../../src/groups/group.dto.js';
import { type Answer, type CallOptions, type ServiceHandle } from './service-handle.js';

type Method = Parameters<ServiceHandle['call']>[0];

interface Listed {
  readonly count: number;
  readonly results: readonly GroupDto[];
}

/** A project's groups, seen through the HTTP interface. */
export class GroupsOf {
  constructor(
    private readonly service: ServiceHandle,
    readonly projectId: number,
  ) {}

  call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.call(method, `/api/projects/${this.projectId}/${path}`, options);
  }

  /** Events of one distinct id and name, each with the groups it belongs to and more properties. */
  async send(...events: readonly object[]): Promise<void> {
    const lines = events.map((event) => JSON.stringify({ type: 'event', event: 'used', distinct_id: 'ada', ...event }));
    const answer = await this.call('POST', 'import', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const { rejected } = answer.body as { rejected: unknown[] };
    if (answer.status !== 200 || rejected.length > 0) throw new Error(JSON.stringify(answer.body));
  }

  async list(query: CallOptions['query'] = {}): Promise<Listed> {
    const answer = await this.call('GET', 'groups', { query: { group_type_index: 0, ...query } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as Listed;
  }

  async find(key: string, index = 0): Promise<GroupDto> {
    const query = { group_type_index: index, group_key: key };
    const answer = await this.call('GET', 'groups/find', { query });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as GroupDto;
  }
}

/** An event of a group of the type `company`. */
export const uses = (company: string, more: object = {}): object => ({
  properties: { $groups: { company } },
  ...more,
});

/** The event that sets properties of a group. */
export const describes = (type: string, key: string, set: object, more: object = {}): object => ({
  event: '$groupidentify',
  distinct_id: `$${type}_${key}`,
  properties: { $group_type: type, $group_key: key, $group_set: set },
  ...more,
});
