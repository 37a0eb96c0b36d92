import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** What each list is asked, so that it has several records whose order is not that of their ids. */
const seen = JSON.stringify([{ id: 'seen' }]);
const march = { date_from: '2024-03-01', date_to: '2024-03-09' };
const questions: Readonly<Record<string, Record<string, string>>> = {
  'persons/trends': { ...march, events: JSON.stringify([{ id: 'seen', math: 'avg', math_property: 'size' }]) },
  'persons/retention': {
    target_entity: '{"id":"seen"}',
    returning_entity: '{"id":"seen"}',
    total_intervals: '9',
    date_to: '2024-03-09',
  },
  'persons/stickiness': { ...march, events: seen },
  'persons/lifecycle': { ...march, events: seen },
  'persons/funnel': { ...march, events: seen },
  'persons/funnel/correlation': { ...march, events: '[{"id":"seen"},{"id":"seen"}]' },
  'persons/path': { ...march, include_event_types: 'custom_event' },
  'persons/values': { key: 'plan' },
};

let service: ServiceHandle;
let routes: string[];
let ids: Readonly<Record<string, string>>;

const shuffled = (n: number): number => (n * 7) % 23;

beforeAll(async () => {
  service = await sharedService();
  const names = Array.from({ length: 23 }, (_, n) => `person ${n}`);
  const day = (n: number) => `2024-03-0${1 + (n % 9)}T10:00:00Z`;
  await importLines(service, service.project.id, [
    ...names.map((name, n) => personLine(name, { plan: `p${shuffled(n) % 5}` })),
    ...names.flatMap((distinct_id, n) =>
      Array.from({ length: 1 + (shuffled(n) % 4) }, (_, at) => ({
        ...{ type: 'event', event: 'seen', distinct_id, timestamp: day(at) },
        properties: { size: shuffled(n) / 3 },
      })),
    ),
  ]);
  const api = `/api/projects/${service.project.id}`;
  const { body } = await service.call('GET', `${api}/persons`, { query: { limit: '1' } });
  const [person] = (body as { results: { id: number }[] }).results;
  const cohort = await service.call('POST', `${api}/cohorts`, {
    body: { name: 'all', is_static: true, distinct_ids: names },
  });
  ids = { persons: String(person?.id), cohorts: String((cohort.body as { id: number }).id) };
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: { name: string; schema: { enum?: string[] } }[] } }>;
  };
  routes = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get?.parameters?.some(({ name, schema }) => name === 'format' && schema.enum?.includes('csv') === true)
      ? [path]
      : [],
  );
});

afterAll(() => service.stop());

/** The first cells of the rows; a cell in quotes has no line break here. */
const firstColumn = (csv: string) => {
  const [header = '', ...rows] = csv.trimEnd().split('\r\n');
  return { header: header.split(','), cells: rows.map((row) => row.split(',')[0] ?? '') };
};

describe('a list as CSV', () => {
  it('has the records of the JSON in the same order, on every route that has both', async () => {
    const compared: string[] = [];
    for (const path of routes) {
      const place = /\{project_id\}\/(.*?)\/?$/.exec(path)?.[1] ?? '';
      const [area = ''] = place.split('/');
      const url = path.replace('{project_id}', String(service.project.id)).replace(/\{\w+\}/, ids[area] ?? '');
      const query = questions[place] ?? {};
      const json = await service.call('GET', url, { query: { ...query, limit: '1000' } });
      const { results } = (json.body ?? {}) as { results?: Record<string, unknown>[] };
      if (results === undefined) continue;
      const csv = await service.call('GET', url, { query: { ...query, format: 'csv' } });
      const { header, cells } = firstColumn(csv.text);
      const [key = ''] = header;
      expect([place, cells]).toEqual([place, results.map((row) => String(row[key]))]);
      if (cells.length > 1) compared.push(place);
    }
    expect(compared).toEqual(expect.arrayContaining(['persons', 'cohorts/{id}/persons', ...Object.keys(questions)]));
  });

  it.each([
    ['trends', 'value_at_data_point'],
    ['retention', 'appearances'],
  ])('of %s has the number of each person', async (route, field) => {
    const url = `/api/projects/${service.project.id}/persons/${route}`;
    const query = questions[`persons/${route}`] ?? {};
    const { results } = (await service.call('GET', url, { query })).body as { results: Record<string, unknown>[] };
    const { text } = await service.call('GET', url, { query: { ...query, format: 'csv' } });
    expect(firstColumn(text).header[5]).toBe(field);
    const [, first = ''] = text.split('\r\n');
    expect(first).toContain(JSON.stringify(results[0]?.[field]));
  });

  it('has pages of one step in the order of the number, too', async () => {
    const url = `/api/projects/${service.project.id}/persons/trends`;
    const query = { ...march, events: seen, format: 'csv', limit: '5' };
    const page = await service.call('GET', url, { query });
    const all = await service.call('GET', url, { query: { ...march, events: seen, format: 'csv' } });
    expect(firstColumn(page.text).cells).toEqual(firstColumn(all.text).cells.slice(0, 5));
  });
});
