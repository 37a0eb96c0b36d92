import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTestService, type TestService } from '../support/service.js';

interface Case {
  readonly name: string;
  readonly now: string | null;
  readonly timezone: string;
  readonly persons: readonly { distinct_ids: string[]; properties: object }[];
  readonly events: readonly { event: string; distinct_id: string; timestamp: string; properties: object }[];
  readonly request: { readonly params: { readonly properties: unknown } };
  readonly expect: { readonly matching_events?: number[]; readonly matching_events_count?: number };
}

const file = fileURLToPath(new URL('../conformance/cases/property_filters.json', import.meta.url));
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly Case[];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

const importLines = async (projectId: number, lines: readonly object[]): Promise<void> => {
  const answer = await fetch(`${service.url}/api/projects/${projectId}/import?create_persons=false`, {
    method: 'POST',
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
  });
  expect(await answer.json()).toMatchObject({ rejected: [] });
};

describe('what users of the reference product expect of a property filter', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, given) => {
    const project = await service.newProject();
    await importLines(project.id, [
      ...given.persons.map((person) => ({ type: 'person', ...person })),
      ...given.events.map((event, at) => ({ type: 'event', uuid: uuidOf(at), ...event })),
    ]);
    const { status, body } = await service.call('GET', `/api/projects/${project.id}/events`, {
      query: { properties: JSON.stringify(given.request.params.properties) },
      headers: given.now === null ? {} : { 'X-Test-Now': given.now },
    });
    expect(status).toBe(200);
    const { count, results } = body as { count: number; results: { uuid: string }[] };
    expect(results).toHaveLength(count);
    const { matching_events: events, matching_events_count: number } = given.expect;
    if (events) expect(results.map(({ uuid }) => uuid).sort()).toEqual(events.map(uuidOf));
    else expect(count).toBe(number);
  });
});
