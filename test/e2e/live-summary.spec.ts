import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LiveSummaryDto } from '../../src/analytics/live/live-summary.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** In the middle of a minute. */
const now = new Date('2026-03-01T12:00:30.500Z');

let service: ServiceHandle;
let people: PersonsOf;

const at = (secondsAgo: number): string => new Date(now.getTime() - secondsAgo * 1000).toISOString();

const summary = async (): Promise<LiveSummaryDto> =>
  (await people.call('GET', 'events/live/summary', { headers: { 'x-test-now': now.toISOString() } }))
    .body as LiveSummaryDto;

beforeAll(async () => {
  service = await sharedService();
  people = new PersonsOf(service, service.project.id);
});
afterAll(() => service.stop());

describe('the summary of what happens now', () => {
  it('has thirty empty minutes and no person in a project without events', async () => {
    const { id } = await service.newProject();
    const { body } = await service.call('GET', `/api/projects/${id}/events/live/summary`);
    const { minutes, ...rest } = body as LiveSummaryDto;
    expect(minutes.map(({ count }) => count)).toEqual(new Array(30).fill(0));
    expect(rest).toMatchObject({ top_events: [], persons: { active_last_5_minutes: 0, latest: [] } });
  });

  it('agrees with the lists of events and persons, after a merge too', async () => {
    const person = (id: string, name: string) => ({ type: 'person', distinct_ids: [id], properties: { email: name } });
    const event = (event: string, distinct_id: string, secondsAgo: number) => ({
      ...{ type: 'event', event, distinct_id, timestamp: at(secondsAgo) },
    });
    const lines = [
      person('ada', 'ada@example.test'),
      person('bob', 'bob@example.test'),
      person('cleo', 'cleo@example.test'),
      event('paid', 'ada', 0),
      event('seen', 'ada', 10),
      event('seen', 'bob', 40),
      event('seen', 'bob', 299),
      // Exactly five minutes ago, and so no longer among the last five minutes.
      event('seen', 'cleo', 300),
      event('seen', 'device', 200),
      // The first millisecond of the thirty minutes, and the last before them.
      event('opened', 'cleo', 29 * 60 + 30.5),
      event('opened', 'cleo', 29 * 60 + 30.501),
      // The future is not now.
      event('seen', 'cleo', -1),
    ];
    const imported = await fetch(`${service.url}/api/projects/${service.project.id}/import?create_persons=false`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect(await imported.json()).toMatchObject({ rejected: [] });

    const before = await summary();
    const counts = before.minutes.map(({ minute, count }) => [minute.slice(11, 16), count]);
    expect(counts).toHaveLength(30);
    expect(counts.filter(([, count]) => count !== 0)).toEqual([
      ['11:31', 1],
      ['11:55', 2],
      ['11:57', 1],
      ['11:59', 1],
      ['12:00', 2],
    ]);
    expect(before.top_events).toEqual([
      { event: 'seen', count: 5 },
      { event: 'opened', count: 1 },
      { event: 'paid', count: 1 },
    ]);
    const seen = ({ persons }: LiveSummaryDto) =>
      persons.latest.map(({ person: { name, distinct_id }, last_event, last_seen_at }) => [
        ...[name, distinct_id, last_event, last_seen_at],
      ]);
    expect(before.persons.active_last_5_minutes).toBe(3);
    expect(seen(before)).toEqual([
      ['ada@example.test', 'ada', 'paid', at(0)],
      ['bob@example.test', 'bob', 'seen', at(40)],
      ['device', 'device', 'seen', at(200)],
    ]);
    expect(before.persons.latest.map(({ person: { id } }) => id > 0)).toEqual([true, true, false]);

    const listed = await people.events({ after: at(300), before: new Date(now.getTime() + 1).toISOString() });
    expect(new Set(listed.map(({ distinct_id }) => distinct_id)).size).toBe(before.persons.active_last_5_minutes);
    const inThirty = await people.events({
      after: new Date(Date.parse(before.minutes[0]?.minute ?? '') - 1).toISOString(),
      before: new Date(now.getTime() + 1).toISOString(),
    });
    expect(inThirty).toHaveLength(before.minutes.reduce((sum, { count }) => sum + count, 0));

    const [ada, bob] = [await people.ofDistinctId('ada'), await people.ofDistinctId('bob')];
    const merged = await people.call('POST', `persons/${ada.id}/merge`, { body: { persons: [bob.id] } });
    expect(merged.status).toBe(200);
    const after = await summary();
    expect(after.persons.active_last_5_minutes).toBe(2);
    expect(seen(after).map(([name]) => name)).toEqual(['ada@example.test', 'device']);
  });
});
