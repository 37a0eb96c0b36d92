import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CohortChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;
let ids: Record<string, number>;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const personIds = async (): Promise<Record<string, number>> => {
  const { body } = await of.call('GET', 'persons', { query: { limit: 100 } });
  const { results } = body as { results: { id: number; distinct_ids: string[] }[] };
  return Object.fromEntries(results.flatMap(({ id, distinct_ids: own }) => own.map((distinctId) => [distinctId, id])));
};

beforeEach(async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(service, of.projectId, [
    personLine('ada', { plan: 'pro' }),
    personLine('bob', { plan: 'free' }),
    personLine('cy', { plan: 'pro' }),
  ]);
  ids = await personIds();
});

const changes = async (cohort: number, query: Record<string, string | number> = {}): Promise<CohortChangesDto> => {
  const { status, body } = await of.call('GET', `cohorts/${cohort}/changes`, { query });
  expect([status, body]).toEqual([200, body]);
  return body as CohortChangesDto;
};

/** Each change as one word: `+ada calculated`. */
const reported = ({ results }: CohortChangesDto): string[] =>
  results.map(({ change, reason, person }) => {
    const name = Object.entries(ids).find(([, id]) => id === person.id)?.[0] ?? '?';
    return `${change === 'entered' ? '+' : '-'}${name} ${reason}`;
  });

const set = (distinctId: string, properties: object) =>
  of.call('PATCH', `persons/${ids[distinctId]}`, { body: { properties } });

const pros = async (): Promise<number> => (await of.create({ name: 'Pros', filters: all(where('plan', 'pro')) })).id;

describe('the changes of a dynamic cohort', () => {
  it('begin with its members, and go on with what each calculation changes', async () => {
    const cohort = await pros();
    const first = await changes(cohort);
    expect(reported(first)).toEqual(['+ada snapshot', '+cy snapshot']);
    expect(first).toMatchObject({ has_more: false });
    expect(first.results[0]?.person.uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect((await changes(cohort, { after: first.cursor })).results).toEqual([]);

    await set('ada', { plan: 'free' });
    await set('bob', { plan: 'pro' });
    await of.recalculate(cohort);
    const next = await changes(cohort, { after: first.cursor });
    expect(reported(next)).toEqual(['-ada calculated', '+bob calculated']);
    expect(reported(await changes(cohort, { after: first.cursor, change: 'left' }))).toEqual(['-ada calculated']);
    expect(reported(await changes(cohort))).toEqual(['+bob snapshot', '+cy snapshot']);
  });

  it('say that a changed definition was the reason', async () => {
    const cohort = await pros();
    const { cursor } = await changes(cohort);
    const filters = all(where('plan', 'free'));
    await of.call('PATCH', `cohorts/${cohort}`, { body: { filters }, query: { wait: 20 } });
    const redefined = await changes(cohort, { after: cursor });
    expect(reported(redefined)).toEqual(['-ada redefined', '-cy redefined', '+bob redefined']);
    await set('ada', { plan: 'free' });
    await of.recalculate(cohort);
    expect(reported(await changes(cohort, { after: redefined.cursor }))).toEqual(['+ada calculated']);
  });

  it('come once when they are read one by one, also in the list of members', async () => {
    const cohort = await pros();
    await set('bob', { plan: 'pro' });
    const one = await changes(cohort, { limit: 1 });
    expect([reported(one), one.has_more]).toEqual([['+ada snapshot'], true]);
    // Between two pages the cohort changes; the list stays that of its beginning.
    await of.recalculate(cohort);
    const rest: string[] = [];
    let { cursor } = one;
    for (let more = true; more;) {
      const page = await changes(cohort, { after: cursor, limit: 1 });
      rest.push(...reported(page));
      more = page.has_more || page.results.length > 0;
      ({ cursor } = page);
    }
    expect(rest).toEqual(['+cy snapshot', '+bob calculated']);
  });

  it('follow merges: the merged person leaves, and the other enters if it was not in', async () => {
    const cohort = await pros();
    const { cursor } = await changes(cohort);
    await of.call('POST', `persons/${ids.bob}/merge`, { body: { distinct_ids: ['ada'] } });
    const merged = await changes(cohort, { after: cursor });
    expect(reported(merged)).toEqual(['-ada merged', '+bob merged']);
    await of.call('POST', `persons/${ids.bob}/merge`, { body: { distinct_ids: ['cy'] } });
    expect(reported(await changes(cohort, { after: merged.cursor }))).toEqual(['-cy merged']);
    expect((await of.members(cohort)).map(({ id }) => id)).toEqual([ids.bob]);
  });

  it('follow deletions, whose uuid is no longer known', async () => {
    const cohort = await pros();
    const { cursor } = await changes(cohort);
    await of.call('DELETE', `persons/${ids.ada}`);
    const { results } = await changes(cohort, { after: cursor });
    expect(results).toMatchObject([{ change: 'left', reason: 'deleted', person: { id: ids.ada, uuid: null } }]);
  });
});

describe('the changes of a static cohort', () => {
  it('say who was uploaded, added and removed', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    const first = await changes(cohort);
    expect(reported(first)).toEqual(['+ada snapshot']);
    const add = (distinctIds: string[]) =>
      of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: distinctIds } });
    await add(['ada', 'bob']);
    await of.call('PATCH', `cohorts/${cohort}`, { body: { distinct_ids: ['cy', 'bob'] }, query: { wait: 20 } });
    await of.call('PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, { body: { person_id: ids.ada } });
    expect(reported(await changes(cohort, { after: first.cursor }))).toEqual([
      '+bob added',
      '+cy uploaded',
      '-ada removed',
    ]);
  });
});

describe('the newest changes', () => {
  const newest = (cohort: number, query: Record<string, string | number> = {}) =>
    changes(cohort, { order: 'newest', ...query });

  const someChanges = async (): Promise<number> => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    const add = (distinctIds: string[]) =>
      of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: distinctIds } });
    await add(['bob', 'cy']);
    await of.call('PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, { body: { person_id: ids.ada } });
    return cohort;
  };

  it('come first, down to the first one', async () => {
    const cohort = await someChanges();
    const page = await newest(cohort);
    expect(reported(page)).toEqual(['-ada removed', '+cy added', '+bob added', '+ada uploaded']);
    expect(page.has_more).toBe(false);
    expect(reported(await newest(cohort, { change: 'left' }))).toEqual(['-ada removed']);
    expect((await newest(cohort, { change: 'entered', limit: 3 })).has_more).toBe(false);
  });

  it('come once each when they are read in parts, by the cursor of the answer or of a change, while others happen', async () => {
    const cohort = await someChanges();
    const parts: (string | boolean)[] = [];
    let query: Record<string, string> = {};
    for (let more = true; more;) {
      const page = await newest(cohort, { ...query, limit: 1 });
      parts.push(...reported(page), page.has_more);
      expect(page.results[0]?.cursor).toBe(page.cursor);
      query = { after: page.cursor };
      more = page.has_more;
      await of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: ['ada'] } });
    }
    expect(parts).toEqual(['-ada removed', true, '+cy added', true, '+bob added', true, '+ada uploaded', false]);
    expect((await newest(cohort, query)).results).toEqual([]);
  });

  it.each([
    ['a cursor of the other order', async (cohort: number) => ({ after: (await changes(cohort)).cursor }), 'after'],
    ['latest, which is where they begin', () => Promise.resolve({ after: 'latest' }), 'after'],
    ['a stream', () => Promise.resolve({ format: 'sse' }), 'order'],
    ['waiting', () => Promise.resolve({ wait: 1 }), 'order'],
  ])('have no %s', async (_, queryOf, attr) => {
    const cohort = await pros();
    const query = { order: 'newest', ...(await queryOf(cohort)) };
    const answer = await of.call('GET', `cohorts/${cohort}/changes`, { query });
    expect([answer.status, answer.body]).toMatchObject([400, { attr }]);
  });

  it('give no cursor to a reader of the others', async () => {
    const cohort = await pros();
    const { cursor: after } = await newest(cohort);
    const answer = await of.call('GET', `cohorts/${cohort}/changes`, { query: { after } });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { attr: 'after', detail: expect.stringContaining('order=newest') },
    ]);
  });
});

describe('a reader', () => {
  it('waits for a change', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    const { cursor } = await changes(cohort);
    const waiting = changes(cohort, { after: cursor, wait: 30 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: ['bob'] } });
    expect(reported(await waiting)).toEqual(['+bob added']);
    expect((await changes(cohort, { after: 'latest', wait: 1 })).results).toEqual([]);
  });

  it('may have lines', async () => {
    const cohort = await pros();
    const { text: lined, headers } = await of.call('GET', `cohorts/${cohort}/changes`, { query: { format: 'ndjson' } });
    const lines = lined.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { person: object }).person)).toEqual([
      { id: ids.ada, uuid: expect.any(String) },
      { id: ids.cy, uuid: expect.any(String) },
    ]);
    expect((await changes(cohort, { after: String(headers['x-cursor']) })).results).toEqual([]);
  });

  it('may follow a stream, and resume it', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    const url = `${service.url}/api/projects/${of.projectId}/cohorts/${cohort}/changes`;
    const headers = { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream' };
    const gone = new AbortController();
    const answer = await fetch(url, { headers, signal: gone.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) text += new TextDecoder().decode((await reader.read()).value);
    };
    await until('"snapshot"');
    await of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: ['bob'] } });
    await until('"added"');
    expect(text).toContain('event: entered');
    gone.abort();
    const first = /^id: (.*)$/m.exec(text)?.[1] ?? '';
    const again = new AbortController();
    const resumed = await fetch(url, { headers: { ...headers, 'Last-Event-ID': first }, signal: again.signal });
    const rest = (resumed.body as ReadableStream<Uint8Array>).getReader();
    text = '';
    while (!text.includes('event:')) text += new TextDecoder().decode((await rest.read()).value);
    again.abort();
    expect(text).not.toContain('"snapshot"');
    expect(text).toContain('"added"');
  });

  it.each([
    ['a damaged cursor', { after: 'x' }, 400, /damaged/],
    ['an unknown kind', { change: 'came' }, 400, /entered/],
    ['a wait that is too long', { wait: 61 }, 400, /wait/],
  ])('is reported for %s', async (_, query, status, detail) => {
    const cohort = await pros();
    const answer = await of.call('GET', `cohorts/${cohort}/changes`, { query });
    expect(answer.status).toBe(status);
    expect((answer.body as { detail: string }).detail).toMatch(detail);
  });

  it('finds no deleted cohort', async () => {
    const cohort = await pros();
    await of.call('PATCH', `cohorts/${cohort}`, { body: { deleted: true } });
    expect((await of.call('GET', `cohorts/${cohort}/changes`)).status).toBe(404);
  });
});
