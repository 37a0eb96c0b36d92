import { type CohortDto } from '../../../src/cohorts/cohort.dto.js';
import { type GroupDto } from '../../../src/groups/group.dto.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { PersonsOf } from '../persons.js';
import { type Answer, type CallOptions, type ServiceHandle } from '../service-handle.js';
import { walk } from '../insights/walk.js';

/** Like what the interface says, in short. */
export const where = (key: string, value: unknown, more: object = {}): object => ({
  type: 'person',
  key,
  value,
  ...more,
});

export const all = (...values: object[]): object => ({ properties: { type: 'AND', values } });
export const any = (...values: object[]): object => ({ properties: { type: 'OR', values } });

export const did = (event: string, more: object = {}): object => ({
  type: 'behavioral',
  key: event,
  event_type: 'events',
  value: 'performed_event',
  time_value: 30,
  time_interval: 'day',
  ...more,
});

export const isIn = (cohort: number, more: object = {}): object => ({
  type: 'cohort',
  key: 'id',
  value: cohort,
  ...more,
});

/** A project's cohorts, seen through the HTTP interface. */
export class CohortsOf extends PersonsOf {
  constructor(
    private readonly host: ServiceHandle,
    projectId: number,
  ) {
    super(host, projectId);
  }

  async create(body: object, options: CallOptions = {}): Promise<CohortDto> {
    const answer = await this.call('POST', 'cohorts', {
      body: { name: 'c', ...body },
      query: { wait: 30, ...(options.query as object) },
      headers: options.headers ?? {},
    });
    return demand(answer, 201);
  }

  async change(id: number, body: object, query: CallOptions['query'] = { wait: 30 }): Promise<CohortDto> {
    return demand(await this.call('PATCH', `cohorts/${id}`, { body, query }), 200);
  }

  async cohort(id: number): Promise<CohortDto> {
    return demand(await this.call('GET', `cohorts/${id}`), 200);
  }

  async recalculate(id: number): Promise<CohortDto> {
    return demand(await this.call('POST', `cohorts/${id}/recalculate`, { query: { wait: 30 } }), 200);
  }

  members(id: number, query: CallOptions['query'] = {}): Promise<readonly PersonDto[]> {
    return walk<PersonDto>(this.host, `/api/projects/${this.projectId}/cohorts/${id}/persons`, query);
  }

  groups(id: number, query: CallOptions['query'] = {}): Promise<readonly GroupDto[]> {
    return walk<GroupDto>(this.host, `/api/projects/${this.projectId}/cohorts/${id}/groups`, query);
  }

  async groupKeys(id: number, query: CallOptions['query'] = {}): Promise<string[]> {
    return (await this.groups(id, query)).map(({ group_key: key }) => key).sort();
  }

  /** By the smallest distinct id of each. */
  async names(id: number, query: CallOptions['query'] = {}): Promise<string[]> {
    return (await this.members(id, query)).map(({ distinct_ids }) => [...distinct_ids].sort()[0] ?? '').sort();
  }

  async csvRows(id: number): Promise<number> {
    const answer = await this.call('GET', `cohorts/${id}/persons`, { query: { format: 'csv' } });
    if (answer.status !== 200) throw new Error(`CSV of cohort ${id}: ${answer.status} ${answer.text}`);
    return answer.text.split('\r\n').length - 2;
  }

  /** A form with a file, as browsers send it. */
  async upload(
    method: 'POST' | 'PATCH',
    path: string,
    fields: Readonly<Record<string, string>>,
    csv: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: CohortDto & { attr?: string; detail?: string }; headers: Headers }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(
      'csv',
      new Blob([typeof csv === 'string' ? csv : Uint8Array.from(csv)], { type: 'text/csv' }),
      'members.csv',
    );
    const answer = await fetch(`${this.host.url}/api/projects/${this.projectId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.host.key}`, ...headers },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as CohortDto, headers: answer.headers };
  }
}

const demand = (answer: Answer, status: number): CohortDto => {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer.body as CohortDto;
};
