import { type EventDto } from '../../src/events/log/event.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type Answer, type CallOptions, type ServiceHandle } from './service-handle.js';

type Method = Parameters<ServiceHandle['call']>[0];

/** A project's persons, seen through the HTTP interface. */
export class PersonsOf {
  constructor(
    private readonly service: ServiceHandle,
    readonly projectId: number,
  ) {}

  call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.call(method, `/api/projects/${this.projectId}/${path}`, options);
  }

  /** The person of these ids, with an event of each id. */
  async make(distinctIds: readonly string[], properties: object = {}): Promise<PersonDto> {
    const person = { type: 'person', distinct_ids: distinctIds, properties, created_at: '2024-01-01T00:00:00Z' };
    const events = distinctIds.map((distinct_id) => ({
      type: 'event',
      event: 'seen',
      distinct_id,
      timestamp: '2024-01-02T00:00:00Z',
    }));
    const answer = await fetch(`${this.service.url}/api/projects/${this.projectId}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.service.key}`, 'content-type': 'application/x-ndjson' },
      body: [person, ...events].map((line) => JSON.stringify(line)).join('\n'),
    });
    const reply = (await answer.json()) as { rejected: unknown[] };
    if (answer.status !== 200 || reply.rejected.length > 0) throw new Error(JSON.stringify(reply));
    return this.ofDistinctId(distinctIds[0] ?? '');
  }

  /** Through the newest event of the id, which a busy machine may project later than a list waits for it. */
  async ofDistinctId(distinctId: string): Promise<PersonDto> {
    for (let tries = 1; ; tries += 1) {
      const [event] = await this.events({ distinct_id: distinctId });
      if (event || tries === 5) return this.get(event?.person_id ?? 0);
    }
  }

  async get(id: number | string): Promise<PersonDto> {
    const answer = await this.call('GET', `persons/${id}`);
    if (answer.status !== 200) throw new Error(`person ${id}: ${answer.status}`);
    return answer.body as PersonDto;
  }

  async events(query: Record<string, string | number>): Promise<EventDto[]> {
    return ((await this.call('GET', 'events', { query })).body as { results: EventDto[] }).results;
  }

  async activity(path = 'persons/activity', query: Record<string, string | number> = {}): Promise<ActivityEntryDto[]> {
    return ((await this.call('GET', path, { query })).body as { results: ActivityEntryDto[] }).results;
  }
}
