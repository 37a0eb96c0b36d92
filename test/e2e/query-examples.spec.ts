import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { Ajv } from 'ajv';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { demoCohorts } from '../../src/app/demo/demo.js';
import { shopEvents } from '../../src/app/demo/shop/shop-events.js';
import { writeSeed } from '../../src/app/demo/write-seed.js';
import { queryExamples } from '../../src/sql/ask/query-examples.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { all, CohortsOf } from '../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

/** As the demo project has them. */
beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, (await service.newProject()).id);
  const now = new Date();
  const traffic = { events: await shopEvents({ events: 5000, days: 30, now }), now };
  await writeSeed(new Postgres(service.pool), of.projectId, traffic, new MovedMembers());
  for (const { name, criteria } of demoCohorts) await of.create({ name, filters: all(...criteria) });
});
afterAll(() => service.stop());

const examples = Object.entries(queryExamples);

describe('the examples of questions in SQL on the Swagger page', () => {
  it('are ten', () => expect(examples).toHaveLength(10));

  it('are those of the document, and valid by its schema', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const body = document.paths['/api/projects/{project_id}/query']?.post?.requestBody as {
      content: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
    };
    const { schema, examples: shown } = body.content['application/json'] ?? {};
    expect(shown).toEqual(queryExamples);
    const isValid = new Ajv({ strict: false }).compile(schema ?? {});
    for (const [name, { value }] of examples)
      expect([name, isValid(value), isValid.errors]).toEqual([name, true, null]);
  });

  it.each(examples)('%s: has rows, and a name for each of its columns', async (_, { value }) => {
    const answer = await of.call('POST', 'query', { body: value });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    const { columns, results } = answer.body as { columns: string[]; results: unknown[][] };
    expect(results.length).toBeGreaterThan(0);
    for (const row of results) expect(row).toHaveLength(columns.length);
    // A column of nothing but NULL would be a property that the demo does not have.
    const empty = columns.filter((_name, at) => results.every((row) => row[at] === null));
    expect(empty).toEqual([]);
  });
});
