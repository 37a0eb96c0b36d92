import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TimelineDto } from '../../src/persons/timeline/timeline.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const load = (...lines: object[]) => importLines(service, project.id, lines);
const at = (day: number, hour = 0) =>
  `2024-01-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const event = (day: number, name: string, properties: object = {}, distinctId = 'ada') => ({
  type: 'event',
  event: name,
  distinct_id: distinctId,
  timestamp: at(day),
  properties,
});
const now = { 'X-Test-Now': '2024-01-31T12:00:00Z' };

const ask = async (query: Record<string, string> = {}, distinctId = 'ada') => {
  const persons = await service.call('GET', `/api/projects/${project.id}/persons`, {
    query: { distinct_id: distinctId },
  });
  const [person] = (persons.body as { results: PersonDto[] }).results;
  return service.call('GET', `/api/projects/${project.id}/persons/${person?.id}/properties_timeline`, {
    query: { date_from: '2024-01-01', date_to: '2024-01-31', ...query },
    headers: now,
  });
};
const timeline = async (query: Record<string, string> = {}, distinctId = 'ada') => {
  const answer = await ask(query, distinctId);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as TimelineDto;
};
const points = async (query: Record<string, string> = {}, distinctId = 'ada') =>
  (await timeline(query, distinctId)).points.map((point) => [
    point.timestamp.slice(8, 10),
    point.properties,
    point.relevant_event_count,
  ]);
const crucial = (...keys: string[]) => JSON.stringify(keys.map((key) => ({ key, operator: 'is_set', type: 'person' })));

describe('the timeline of a person', () => {
  it('has a point wherever a crucial value changed between relevant events, and counts the events until the next', async () => {
    await load(
      event(1, 'seen', { $set: { plan: 'free', city: 'Ulm' } }),
      event(2, 'seen'),
      event(3, 'seen', { $set: { city: 'Bonn' } }),
      event(4, 'seen', { $set: { plan: 'pro' } }),
      event(5, 'seen', { $set_once: { plan: 'never' } }),
      event(6, 'seen', { $unset: ['plan'] }),
    );
    const reported = await timeline({ properties: crucial('plan') });
    expect(reported).toMatchObject({
      name: 'ada',
      distinct_ids: ['ada'],
      crucial_property_keys: ['plan'],
      date_from: '2024-01-01T00:00:00.000Z',
      date_to: '2024-01-31T23:59:59.999Z',
    });
    expect(await points({ properties: crucial('plan') })).toEqual([
      ['01', { plan: 'free', city: 'Ulm' }, 3],
      ['04', { plan: 'pro', city: 'Bonn' }, 2],
      ['06', { city: 'Bonn' }, 1],
    ]);
  });

  it('takes every key as crucial when none is named', async () => {
    await load(
      event(1, 'seen', { $set: { plan: 'free' } }),
      event(2, 'seen', { $browser: 'Firefox' }),
      event(3, 'seen', { $browser: 'Firefox' }),
    );
    expect(await points()).toEqual([
      ['01', { plan: 'free' }, 1],
      ['02', { plan: 'free', $browser: 'Firefox', $initial_browser: 'Firefox' }, 2],
    ]);
    expect((await timeline()).crucial_property_keys).toEqual(['$browser', '$initial_browser', 'plan']);
  });

  it('begins with what was before the range, and notices changes by events that are not relevant', async () => {
    await load(
      event(1, 'seen', { $set: { plan: 'free' } }),
      event(5, 'bought'),
      event(6, 'seen', { $set: { plan: 'pro' } }),
      event(7, 'seen', { $set: { plan: 'free' } }),
      event(8, 'bought'),
      event(9, 'seen', { $set: { plan: 'pro' } }),
      event(10, 'bought'),
      event(20, 'bought', { $set: { plan: 'late' } }),
    );
    expect(
      await points({
        date_from: '2024-01-04',
        date_to: '2024-01-12',
        events: '[{"id":"bought"}]',
        properties: crucial('plan'),
      }),
    ).toEqual([
      ['05', { plan: 'free' }, 2],
      ['10', { plan: 'pro' }, 1],
    ]);
  });

  it('takes events by their properties, and several kinds of them', async () => {
    await load(
      event(1, 'bought', { price: 5, $set: { plan: 'a' } }),
      event(2, 'bought', { price: 50, $set: { plan: 'b' } }),
      event(3, 'left', { $set: { plan: 'c' } }),
      event(4, 'seen', { $set: { plan: 'd' } }),
    );
    const events = JSON.stringify([
      { id: 'bought', properties: [{ key: 'price', operator: 'gt', value: 10 }] },
      { id: null, properties: [{ type: 'event_metadata', key: 'event', operator: 'exact', value: 'left' }] },
    ]);
    expect(await points({ events, properties: crucial('plan') })).toEqual([
      ['02', { plan: 'b' }, 1],
      ['03', { plan: 'c' }, 1],
    ]);
  });

  it('is that of both right after a merge', async () => {
    await load(
      event(1, 'seen', { $set: { plan: 'anonymous' } }, 'anon'),
      event(2, 'seen', { $set: { plan: 'known' } }, 'ada'),
    );
    expect(await points({ properties: crucial('plan') })).toEqual([['02', { plan: 'known' }, 1]]);
    const sent = await fetch(`${service.url}/capture`, {
      method: 'POST',
      body: JSON.stringify({
        api_key: project.api_token,
        event: '$identify',
        distinct_id: 'ada',
        properties: { $anon_distinct_id: 'anon' },
      }),
    });
    expect(sent.status).toBe(200);
    for (const id of ['ada', 'anon']) {
      expect(await points({ properties: crucial('plan') }, id)).toEqual([
        ['01', { plan: 'anonymous' }, 1],
        ['02', { plan: 'known' }, 1],
      ]);
    }
  });

  it('knows what came by an import as there from the start', async () => {
    await load(personLine('ada', { plan: 'imported', source: 'crm' }));
    await load(event(2, 'seen', { $set_once: { source: 'web' } }), event(3, 'seen', { $set: { score: 1 } }));
    expect(await points({ properties: crucial('source') })).toEqual([['02', { plan: 'imported', source: 'crm' }, 2]]);
    expect(await points()).toEqual([
      ['02', { plan: 'imported', source: 'crm' }, 1],
      ['03', { plan: 'imported', source: 'crm', score: 1 }, 1],
    ]);
  });

  it('is empty without events, and the same through pages of the log', async () => {
    await load(personLine('bob'));
    expect(await points({}, 'bob')).toEqual([]);
    await load(
      ...Array.from({ length: 2500 }, (_, n) => ({
        ...event(1, 'seen', { $set: { step: Math.floor(n / 500) } }),
        timestamp: new Date(Date.parse(at(1)) + n * 1000).toISOString(),
      })),
    );
    expect((await points({ date_from: 'all', properties: crucial('step') })).map(([, , count]) => count)).toEqual([
      500, 500, 500, 500, 500,
    ]);
  });

  it('refuses what it cannot read, and persons it does not know', async () => {
    await load(personLine('ada'));
    const refused: [Record<string, string>, string][] = [
      [{ date_from: 'x' }, 'date_from'],
      [{ events: '{' }, 'events'],
      [{ events: '{}' }, 'events'],
      [{ events: '[{}]' }, 'events.0.id'],
      [{ events: '[{"id":"a","tpye":1}]' }, 'events.0.tpye'],
      [
        { events: '[{"id":"a","properties":[{"key":"x","operator":"like","value":1}]}]' },
        'events.0.properties.0.operator',
      ],
      [{ properties: '{' }, 'properties'],
      [{ interval: 'decade' }, 'interval'],
    ];
    for (const [query, attr] of refused) {
      const { status, body } = await ask(query);
      expect([query, status, (body as { attr: string }).attr]).toEqual([query, 400, attr]);
    }
    for (const [id, status] of [
      ['99999999', 404],
      ['ada', 400],
    ] as const) {
      const answer = await service.call('GET', `/api/projects/${project.id}/persons/${id}/properties_timeline`);
      expect(answer.status).toBe(status);
    }
  });

  it('ends with an error that helps when it would be endless', async () => {
    await load(
      ...Array.from({ length: 5001 }, (_, n) => ({
        ...event(1, 'seen', { $set: { step: n } }),
        timestamp: new Date(Date.parse(at(1)) + n * 1000).toISOString(),
      })),
    );
    const { status, body } = await ask();
    expect([status, (body as { detail: string }).detail]).toEqual([
      400,
      expect.stringMatching(/more than 5000 points/),
    ]);
  });
});
