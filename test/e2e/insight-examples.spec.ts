import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { shopEvents } from '../../src/app/demo/shop/shop-events.js';
import { writeSeed } from '../../src/app/demo/write-seed.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const questions = [
  ['get', 'funnel'],
  ['post', 'funnel'],
  ['get', 'funnel/correlation'],
  ['post', 'funnel/correlation'],
  ['get', 'lifecycle'],
  ['get', 'path'],
  ['post', 'path'],
  ['get', 'retention'],
  ['get', 'stickiness'],
  ['get', 'trends'],
] as const;

let service: ServiceHandle;
let document: OpenAPIObject;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  const now = new Date();
  const traffic = { events: await shopEvents({ events: 3000, days: 30, now }), now };
  await writeSeed(new Postgres(service.pool), service.project.id, traffic, new MovedMembers());
});
afterAll(() => service.stop());

/** Fills a path in: with the example of a parameter, or else its default. */
const filledIn = (path: string): Record<string, string> => {
  const parameters = (document.paths[path]?.get?.parameters ?? []) as {
    name: string;
    in: string;
    schema?: { example?: string | number; default?: string | number };
  }[];
  return Object.fromEntries(
    parameters.flatMap(({ name, in: place, schema }) => {
      const value = schema?.example ?? schema?.default;
      return place === 'query' && value !== undefined ? [[name, String(value)]] : [];
    }),
  );
};

const bodyOf = (path: string): unknown => {
  const body = document.paths[path]?.post?.requestBody as {
    content: Record<string, { examples: { question: { value: unknown } } }>;
  };
  return body.content['application/json']?.examples.question.value;
};

const isSomething = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(isSomething) : Number(value) > 0;

describe('what the Swagger page asks of the demo project', () => {
  it.each(questions)('%s %s has an answer, and persons behind it', async (method, name) => {
    const path = `/api/projects/{project_id}/persons/${name}`;
    const url = `/api/projects/${service.project.id}/persons/${name}`;
    const answer =
      method === 'get'
        ? await service.call('GET', url, { query: filledIn(path) })
        : await service.call('POST', url, { body: bodyOf(path) });
    expect(answer.status).toBe(200);
    const { insight, count } = answer.body as { insight: Record<string, unknown>; count: number };
    expect(Object.values(insight).some((part) => typeof part === 'object' && isSomething(part))).toBe(true);
    expect(count).toBeGreaterThan(0);
  });
});

describe('a range that ends with the last day that can be stored', () => {
  it.each(['hour', 'day', 'week', 'month'])('is answered by the %s, west of UTC too', async (interval) => {
    const { id } = await service.newProject();
    const path = `/api/projects/${id}`;
    const changed = await service.call('PATCH', path, { body: { timezone: 'America/New_York' } });
    expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
    const query = {
      events: '[{"id":"a"}]',
      date_from: '2299-12-29',
      date_to: '2299-12-31',
      interval,
      include: 'insight',
    };
    const answer = await service.call('GET', `${path}/persons/trends`, { query });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  });
});
