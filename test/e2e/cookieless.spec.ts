import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** The distinct id that posthog-js sends for all visitors in cookieless mode. */
const everybody = '$posthog_cookieless';

let service: ServiceHandle;
let project: ProjectDto;
let people: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
  people = new PersonsOf(service, project.id);
});

const send = async (path: string, body: object) => {
  const answer = await service.call('POST', path, { key: null, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as { accepted: number; warnings?: { index: number; type: string }[] };
};
const batch = (...events: object[]) => send('/batch', { api_key: project.api_token, batch: events });

const personsOf = async (): Promise<string[][]> => {
  const { rows } = await service.pool.query<{ ids: string[] }>(
    `SELECT array_agg(distinct_id ORDER BY position) AS ids FROM person_distinct_ids WHERE project_id = $1
     GROUP BY person_id ORDER BY min(position)`,
    [project.id],
  );
  return rows.map(({ ids }) => ids);
};

const warnings = async (): Promise<string[]> => {
  const { body } = await people.call('GET', 'ingestion_warnings');
  return (body as { results: { type: string }[] }).results.map(({ type }) => type);
};

const cookieless = 'cookieless_mode_not_supported';

describe('visitors in cookieless mode', () => {
  it('are kept apart from each other and from users, and the answers say what is missing', async () => {
    for (const user of ['alice', 'bob', 'carol']) {
      const answer = await batch(
        { event: '$pageview', distinct_id: everybody, properties: { $cookieless_mode: true } },
        {
          event: '$identify',
          distinct_id: user,
          properties: { $cookieless_mode: true, $anon_distinct_id: everybody, $set: { email: `${user}@x.test` } },
        },
      );
      expect(answer).toMatchObject({
        accepted: 2,
        warnings: [
          { index: 0, type: cookieless, detail: expect.stringContaining(everybody) },
          { index: 1, type: cookieless },
        ],
      });
    }
    expect(await personsOf()).toEqual([['alice'], ['bob'], ['carol']]);
    expect(await warnings()).toEqual(Array.from({ length: 6 }, () => cookieless));
    expect(await people.events({ distinct_id: everybody })).toMatchObject([
      { person_id: null },
      { person_id: null },
      { person_id: null },
    ]);
  });

  it('are merged by no route', async () => {
    await batch(
      { event: 'seen', distinct_id: 'alice' },
      { event: '$create_alias', distinct_id: 'alice', properties: { alias: everybody } },
      { event: '$merge_dangerously', distinct_id: everybody, properties: { alias: 'alice' } },
    );
    await send('/engage', { api_key: project.api_token, distinct_id: everybody, $set: { plan: 'pro' } });
    const segment = await send('/v1/batch', {
      writeKey: project.api_token,
      batch: [
        { type: 'identify', messageId: 'm-1', userId: 'alice', anonymousId: everybody },
        { type: 'alias', messageId: 'm-2', userId: everybody, previousId: 'alice' },
        { type: 'track', messageId: 'm-3', event: 'paid', anonymousId: everybody },
      ],
    });
    expect(segment.warnings).toMatchObject([{ type: cookieless }, { type: cookieless }, { type: cookieless }]);
    expect(await personsOf()).toEqual([['alice']]);
  });

  it('are in no person that is imported or merged by hand', async () => {
    const line = (ids: readonly string[]) => ({ type: 'person', distinct_ids: ids });
    const event = { type: 'event', event: 'seen', distinct_id: everybody };
    const answer = await fetch(`${service.url}/api/projects/${project.id}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body: [line(['alice']), line(['bob', everybody]), event].map((each) => JSON.stringify(each)).join('\n'),
    });
    expect(await answer.json()).toMatchObject({
      persons: 1,
      events: 1,
      rejected: [{ line: 2, code: 'invalid_input', detail: expect.stringContaining('distinct_ids.1') }],
    });
    expect(await warnings()).toEqual([cookieless]);
    const { body } = await people.call('GET', 'persons', { query: { distinct_id: 'alice' } });
    const [alice] = (body as { results: PersonDto[] }).results;
    const merged = await people.call('POST', `persons/${alice?.id}/merge`, { body: { distinct_ids: [everybody] } });
    expect([merged.status, merged.body]).toMatchObject([
      400,
      { code: 'invalid_input', attr: 'distinct_ids.0', detail: expect.stringContaining('cookieless') },
    ]);
    expect(await personsOf()).toEqual([['alice']]);
  });
});
