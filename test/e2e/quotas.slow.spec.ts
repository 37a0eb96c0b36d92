import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ArrivalsSweep } from '../../src/events/live/arrivals-sweep.js';
import { collectOutbox } from '../../src/kernel/projection/outbox/outbox.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type Quotas } from '../../src/kernel/projects/quotas.js';
import { type ProjectQuotasDto } from '../../src/projects/quotas/quota.dto.js';
import { QuotaWatch } from '../../src/projects/quotas/quota-watch.js';
import { LOGGER, type Logger } from '../../src/platform/telemetry/logger.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { freePort } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';
import { makeUser, signedIn } from '../support/signed-in.js';

let service: TestService;
let metricsUrl: string;

/** The service forgets what it has counted for days that its own clock finds older than a week. */
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const [firstDay, nextDay, laterDay] = [dayBefore(3), dayBefore(2), dayBefore(1)];

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  service = await startTestService({ METRICS_PORT: String(port) });
});
afterAll(() => service.stop());

const pathOf = ({ id }: Pick<ProjectDto, 'id'>, rest = ''): string => `/api/projects/${id}${rest}`;
const setQuotas = (project: ProjectDto, quotas: Partial<Quotas>, key?: string) =>
  service.call('PATCH', pathOf(project), { body: { quotas }, ...(key === undefined ? {} : { key }) });
const limited = async (quotas: Partial<Quotas>): Promise<ProjectDto> => {
  const project = await service.newProject();
  const answer = await setQuotas(project, quotas);
  expect(answer.status).toBe(200);
  return project;
};
const quotasOf = async (project: ProjectDto, now?: string): Promise<ProjectQuotasDto> => {
  const answer = await service.call('GET', pathOf(project, '/quotas'), {
    headers: now === undefined ? {} : { 'X-Test-Now': now },
  });
  expect(answer.status).toBe(200);
  return answer.body as ProjectQuotasDto;
};
const events = (count: number): { uuid: string; event: string; distinct_id: string }[] =>
  Array.from({ length: count }, () => ({ uuid: randomUUID(), event: 'seen', distinct_id: 'ada' }));
const send = (project: ProjectDto, batch: readonly object[], now?: string) =>
  service.call('POST', '/batch', {
    key: null,
    body: { api_key: project.api_token, batch },
    headers: now === undefined ? {} : { 'X-Test-Now': now },
  });
const inLog = async ({ id }: ProjectDto): Promise<number> =>
  Number(
    (await service.pool.query<{ count: string }>('SELECT count(*) FROM events WHERE project_id = $1', [id])).rows[0]
      ?.count,
  );
const inClickHouse = async (project: ProjectDto): Promise<number> =>
  ((await service.call('GET', pathOf(project, '/events'), { query: { limit: 1 } })).body as { count: number }).count;
const warningsOf = async (project: ProjectDto): Promise<{ type: string; detail: string }[]> =>
  ((await service.call('GET', pathOf(project, '/ingestion_warnings'))).body as { results: [] }).results;

describe('the quotas of a project', () => {
  it('are none at first, and stay as they are where a PATCH does not name them', async () => {
    const project = await service.newProject();
    expect(project.quotas).toEqual({ events_per_day: null, cohorts: null, members: null });
    const first = await setQuotas(project, { events_per_day: 10, members: 3 });
    expect([first.status, (first.body as ProjectDto).quotas]).toEqual([
      200,
      { events_per_day: 10, cohorts: null, members: 3 },
    ]);
    const second = await setQuotas(project, { members: null, cohorts: 0 });
    expect((second.body as ProjectDto).quotas).toEqual({ events_per_day: 10, cohorts: 0, members: null });
    const read = (await service.call('GET', pathOf(project))).body as ProjectDto;
    expect(read.quotas).toEqual({ events_per_day: 10, cohorts: 0, members: null });
    const activity = (await service.call('GET', pathOf(project, '/activity'), { query: { scope: 'Project' } }))
      .body as { results: { detail: { changes: { field: string; before: unknown; after: unknown }[] } }[] };
    expect(activity.results[0]?.detail.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['quotas.cohorts', null, 0],
      ['quotas.members', 3, null],
    ]);
  });

  it.each([
    [{ events_per_day: -1 }, 'quotas.events_per_day', 'must be an integer from 0'],
    [{ cohorts: 1.5 }, 'quotas.cohorts', 'must be an integer from 0'],
    [{ members: '5' }, 'quotas.members', 'must be an integer from 0'],
    [{ members: 1_000_000_001 }, 'quotas.members', 'must be an integer from 0'],
    [{ event_per_day: 5 }, 'quotas.event_per_day', 'did you mean events_per_day?'],
    [[5], 'quotas', 'must be an object'],
  ])('%j is a 400 at %s', async (quotas, attr, detail) => {
    const answer = await service.call('PATCH', pathOf(service.project), { body: { quotas } });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringContaining(detail) }),
    ]);
  });

  it('are set when a project is made, too', async () => {
    const body = { name: 'Small', quotas: { events_per_day: 1 } };
    const made = (await service.call('POST', '/api/projects', { body })).body as ProjectDto;
    expect(made.quotas).toEqual({ events_per_day: 1, cohorts: null, members: null });
    expect([(await send(made, events(2))).status, (await send(made, events(1))).status]).toEqual([429, 200]);
  });

  it('are set by owners only: not by an admin, and not by a key that is less than one of an owner', async () => {
    const project = await limited({ events_per_day: 5 });
    const admin = await signedIn(service, { roles: { [project.id]: 'admin' } });
    const refused = await admin.call('PATCH', pathOf(project), { body: { quotas: { events_per_day: 6 } } });
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.objectContaining({ attr: 'quotas', detail: expect.stringContaining('owner of the installation') }),
    ]);
    const removed = await admin.call('PATCH', pathOf(project), { body: { quotas: { events_per_day: null } } });
    expect(removed.status).toBe(403);
    const { text: ofProject } = await service.newKey({ projectIds: [project.id] });
    expect((await setQuotas(project, { events_per_day: 6 }, ofProject)).status).toBe(403);
    const { text: writes } = await service.newKey({ scopes: ['project:write'] });
    expect((await setQuotas(project, { events_per_day: 6 }, writes)).status).toBe(403);
    const created = await service.call('POST', '/api/projects', {
      key: writes,
      body: { name: 'Mine', quotas: { cohorts: 5 } },
    });
    expect(created.status).toBe(403);

    const record = (await admin.call('GET', pathOf(project))).body as ProjectDto;
    const sentBack = await admin.call('PATCH', pathOf(project), { body: { ...record, name: 'Renamed' } });
    expect([sentBack.status, (sentBack.body as ProjectDto).quotas.events_per_day]).toEqual([200, 5]);
    const owner = await signedIn(service, { isOwner: true });
    const set = await owner.call('PATCH', pathOf(project), { body: { quotas: { events_per_day: 6 } } });
    expect([set.status, (set.body as ProjectDto).quotas.events_per_day]).toEqual([200, 6]);
  });

  it('are shown with what is used, and with a warning from 80 % on', async () => {
    const now = `${firstDay}T23:59:30.000Z`;
    const project = await limited({ events_per_day: 10, cohorts: 1 });
    await send(project, events(7), now);
    const none = { resets_at: null, is_nearly_used: false, used: 0 };
    const today = { limit: 10, resets_at: `${nextDay}T00:00:00.000Z` };
    expect(await quotasOf(project, now)).toEqual({
      events_per_day: { ...today, used: 7, is_nearly_used: false },
      cohorts: { ...none, limit: 1 },
      members: { ...none, limit: null },
    });
    await send(project, events(1), now);
    expect((await quotasOf(project, now)).events_per_day).toEqual({ ...today, used: 8, is_nearly_used: true });
  });
});

describe('the quota of events', () => {
  const day = `${firstDay}T10:00:00.000Z`;

  it('refuses a batch whole when the day has no room for it, and says until when', async () => {
    const project = await limited({ events_per_day: 10 });
    expect((await send(project, events(8), day)).status).toBe(200);
    const refused = await send(project, events(3), day);
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      String(14 * 3600),
      expect.objectContaining({
        type: 'throttled_error',
        code: 'throttled',
        detail: expect.stringMatching(new RegExp(`quota events_per_day .*10 events a day.*${nextDay}T00:00:00\\.000Z`)),
      }),
    ]);
    expect((await send(project, events(2), day)).status).toBe(200);
    expect((await send(project, events(1), day)).status).toBe(429);
    expect([await inLog(project), await inClickHouse(project)]).toEqual([10, 10]);
    const ingestion = await service.call('GET', pathOf(project, '/ingestion'));
    expect(ingestion.body).toMatchObject({ accepted: 10, rejected_by_reason: [{ reason: 'throttled', events: 4 }] });
  });

  it('counts each event once: what is in the log already is a duplicate, also when the day has no room', async () => {
    const project = await limited({ events_per_day: 4 });
    const [first, second] = [events(3), events(2)];
    await send(project, first, day);
    expect((await send(project, [...first, ...first], day)).body).toMatchObject({ accepted: 0, duplicates: 6 });
    expect((await quotasOf(project, day)).events_per_day.used).toBe(3);
    expect((await send(project, [...first, ...second], day)).status).toBe(429);
    const twice = second.slice(0, 1);
    expect((await send(project, [...twice, ...first, ...twice], day)).body).toMatchObject({
      accepted: 1,
      duplicates: 4,
    });
    expect((await send(project, first, day)).body).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await inLog(project)).toBe(4);
  });

  it('begins again at midnight in UTC, whatever the zone of the project', async () => {
    const project = await limited({ events_per_day: 2 });
    await service.call('PATCH', pathOf(project), { body: { timezone: 'Pacific/Auckland' } });
    const [before, after] = [`${firstDay}T23:59:59.999Z`, `${nextDay}T00:00:00.000Z`];
    expect((await send(project, events(2), before)).status).toBe(200);
    const refused = await send(project, events(1), before);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await send(project, events(2), after)).status).toBe(200);
    expect((await send(project, events(1), after)).status).toBe(429);
    const used = async (now: string) => (await quotasOf(project, now)).events_per_day.used;
    expect([await used(before), await used(after), await used(`${laterDay}T00:00:00.000Z`)]).toEqual([2, 2, 0]);
  });

  it('is kept while the counts of earlier days are removed', async () => {
    const project = await limited({ events_per_day: 2 });
    expect((await send(project, events(2), day)).status).toBe(200);
    await service.app.get(ArrivalsSweep).run(new Date());
    expect((await send(project, events(1), day)).status).toBe(429);
  });

  it('lets exactly as many through as it allows when many batches come at once', async () => {
    const [project, other] = [await limited({ events_per_day: 50 }), await service.newProject()];
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) => send(at % 4 === 3 ? other : project, events(1), day)),
    );
    const statuses = (of: ProjectDto) =>
      answers.filter((_, at) => (at % 4 === 3 ? other : project) === of).map(({ status }) => status);
    expect(statuses(project).filter((status) => status === 200)).toHaveLength(50);
    expect(statuses(project).filter((status) => status === 429)).toHaveLength(40);
    expect(statuses(other)).toEqual(Array.from({ length: 30 }, () => 200));
    expect([await inLog(project), await inClickHouse(project)]).toEqual([50, 50]);
    expect([await inLog(other), await inClickHouse(other)]).toEqual([30, 30]);
    expect((await quotasOf(project, day)).events_per_day.used).toBe(50);
  });

  it('never lets more through with batches of several events, of which every one is stored whole or not at all', async () => {
    const project = await limited({ events_per_day: 100 });
    const batches = Array.from({ length: 40 }, (_, at) => events(1 + (at % 7)));
    const answers = await Promise.all(batches.map((batch) => send(project, batch, day)));
    const accepted = batches.filter((_, at) => answers[at]?.status === 200);
    expect(answers.every(({ status }) => [200, 429].includes(status))).toBe(true);
    const stored = new Set(
      (
        await service.pool.query<{ uuid: string }>('SELECT uuid FROM events WHERE project_id = $1', [project.id])
      ).rows.map(({ uuid }) => uuid),
    );
    expect(stored).toEqual(new Set(accepted.flat().map(({ uuid }) => uuid)));
    expect(stored.size).toBeLessThanOrEqual(100);
    // The smallest batch that was refused would have exceeded what is left.
    expect(stored.size).toBeGreaterThan(100 - 7);
    expect((await quotasOf(project, day)).events_per_day.used).toBe(stored.size);
  });

  it('is exact when transactions overlap, because many events wait', async () => {
    const [project, other] = [await limited({ events_per_day: 3000 }), await service.newProject()];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => send(at % 2 === 0 ? project : other, events(400), day)),
    );
    const accepted = answers.filter(({ status }, at) => at % 2 === 0 && status === 200);
    expect([accepted.length, answers.filter(({ status }) => status === 200).length]).toEqual([7, 7 + 12]);
    expect([await inLog(project), await inClickHouse(project), await inLog(other)]).toEqual([2800, 2800, 4800]);
    expect((await quotasOf(project, day)).events_per_day).toMatchObject({ used: 2800, is_nearly_used: true });
  });

  it('counts what came before it was set, and is kept from the first event after it on', async () => {
    const project = await service.newProject();
    const now = new Date().toISOString();
    await send(project, events(5), now);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => send(project, events(1), now))),
      setQuotas(project, { events_per_day: 8 }),
    ]);
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(await inLog(project)).toBe(5 + accepted);
    expect((await quotasOf(project, now)).events_per_day.used).toBe(5 + accepted);
    const room = Math.max(0, 8 - 5 - accepted);
    expect((await send(project, events(room + 1), now)).status).toBe(429);
    expect((await send(project, events(Math.max(1, room)), now)).status).toBe(room > 0 ? 200 : 429);
  });

  it('counts the events of a project without one too, while they are arrivals and when those are swept', async () => {
    const project = await service.newProject();
    const now = new Date();
    const used = async () => (await quotasOf(project, now.toISOString())).events_per_day.used;
    await send(project, events(6), now.toISOString());
    expect(await used()).toBe(6);
    // On Citus they arrive when they are collected.
    await collectOutbox(service.app.get(Postgres));
    await service.app.get(ArrivalsSweep).run(new Date(now.getTime() + 3_600_000));
    const left = await service.pool.query('SELECT 1 FROM arrivals WHERE project_id = $1', [project.id]);
    expect([left.rowCount, await used()]).toEqual([0, 6]);
    await send(project, events(1), now.toISOString());
    await setQuotas(project, { events_per_day: 8 });
    expect(await used()).toBe(7);
    await setQuotas(project, { events_per_day: null });
    await send(project, events(3), now.toISOString());
    expect(await used()).toBe(10);
    await setQuotas(project, { events_per_day: 11 });
    expect([await used(), (await send(project, events(2), now.toISOString())).status]).toEqual([10, 429]);
    await service.app.get(ArrivalsSweep).run(new Date(now.getTime() + 3_600_000));
    expect(await used()).toBe(10);
  });

  it('is not counted by edits of persons in the API, which go on', async () => {
    const project = await limited({ events_per_day: 1 });
    const now = new Date().toISOString();
    await send(project, events(1), now);
    const [person] = ((await service.call('GET', pathOf(project, '/persons'))).body as { results: { id: number }[] })
      .results;
    const edited = await service.call('PATCH', pathOf(project, `/persons/${person?.id}`), {
      body: { properties: { plan: 'pro' } },
    });
    expect(edited.status).toBe(200);
    expect([await inLog(project), (await quotasOf(project)).events_per_day.used]).toEqual([2, 1]);
  });

  it('refuses a whole chunk of an import, and keeps what came before', async () => {
    const project = await limited({ events_per_day: 3 });
    const lines = events(4).map((event) => JSON.stringify({ type: 'event', ...event }));
    const load = (body: string) =>
      service.call('POST', pathOf(project, '/import'), { body, headers: { 'content-type': 'application/x-ndjson' } });
    const refused = await load(lines.join('\n'));
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
      expect.objectContaining({ detail: expect.stringMatching(/quota events_per_day.*The lines before are stored/) }),
    ]);
    expect(await inLog(project)).toBe(0);
    expect((await load(lines.slice(0, 3).join('\n'))).body).toMatchObject({ events: 3, duplicates: 0 });
    expect((await load(lines.slice(0, 3).join('\n'))).body).toMatchObject({ events: 0, duplicates: 3 });
    expect((await load(lines.join('\n'))).status).toBe(429);
    expect([await inLog(project), (await quotasOf(project)).events_per_day.used]).toEqual([3, 3]);
  });

  it('ends an import in the background with the reason', async () => {
    const project = await limited({ events_per_day: 3 });
    const load = async (count: number) => {
      const answer = await service.call('POST', pathOf(project, '/import'), {
        body: events(count)
          .map((event) => JSON.stringify({ type: 'event', ...event }))
          .join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
        query: { wait: 0 },
      });
      expect(answer.status).toBe(202);
      for (;;) {
        const job = (await service.call('GET', pathOf(project, `/import/${(answer.body as { id: string }).id}`)))
          .body as { status: string; error: string | null; events: number };
        if (['done', 'failed'].includes(job.status)) return job;
      }
    };
    expect(await load(2)).toMatchObject({ status: 'done', events: 2 });
    expect(await load(2)).toMatchObject({
      status: 'failed',
      events: 0,
      error: expect.stringMatching(/quota events_per_day.*The lines before are stored/),
    });
    expect(await load(1)).toMatchObject({ status: 'done', events: 1 });
    expect([await inLog(project), (await quotasOf(project)).events_per_day.used]).toEqual([3, 3]);
  });

  it('leaves one warning among those of ingestion when 80 % are used', async () => {
    const project = await limited({ events_per_day: 10 });
    await send(project, events(7), day);
    expect(await warningsOf(project)).toEqual([]);
    await Promise.all([send(project, events(1), day), send(project, events(1), day)]);
    await send(project, events(1), day);
    await send(project, events(1), day);
    expect(await warningsOf(project)).toEqual([
      expect.objectContaining({
        type: 'quota_nearly_used',
        event_uuid: null,
        distinct_id: null,
        detail: expect.stringMatching(/^80 % of the 10 events/),
      }),
    ]);
  });
});

describe('the quotas of cohorts and members', () => {
  const cohort = (name: string) => ({
    name,
    filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } },
  });
  const make = (project: ProjectDto, name = 'Pro') =>
    service.call('POST', pathOf(project, '/cohorts'), { body: cohort(name) });

  it('let exactly as many cohorts be made as they allow, however many are made at once', async () => {
    const project = await limited({ cohorts: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => make(project, `Pro ${at}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('quota cohorts') });
    expect((await quotasOf(project)).cohorts).toEqual({ limit: 3, used: 3, resets_at: null, is_nearly_used: true });
    const { id } = answers.find(({ status }) => status === 201)?.body as { id: number };
    const copied = await service.call('GET', pathOf(project, `/cohorts/${id}/duplicate_as_static_cohort`));
    expect(copied.status).toBe(409);

    const change = (deleted: boolean) =>
      service.call('PATCH', pathOf(project, `/cohorts/${id}`), { body: { deleted } });
    expect((await change(true)).status).toBe(200);
    expect((await make(project, 'In its place')).status).toBe(201);
    expect((await change(false)).status).toBe(409);
    await setQuotas(project, { cohorts: 4 });
    expect((await change(false)).status).toBe(200);
  });

  it('let exactly as many members join as they allow, by any way', async () => {
    const project = await limited({ members: 2 });
    const users = await Promise.all(Array.from({ length: 5 }, () => makeUser(service)));
    const add = (id: number) =>
      service.call('POST', pathOf(project, '/members'), { body: { user_id: id, role: 'viewer' } });
    const invite = () =>
      service.call('POST', pathOf(project, '/invitations'), {
        body: { email: `${randomUUID()}@example.test`, role: 'viewer' },
      });
    const invited = (await invite()).body as { link: string };
    const answers = await Promise.all(users.map(({ id }) => add(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      detail: expect.stringContaining('quota members'),
    });
    expect((await invite()).status).toBe(409);
    const token = new URL(invited.link).hash.split('=').at(-1) ?? '';
    const accept = () =>
      service.call('POST', '/api/invitations/accept', {
        key: null,
        body: { token, password: 'a long pass phrase' },
        headers: { 'sec-fetch-site': 'same-origin' },
      });
    expect((await accept()).status).toBe(409);
    expect((await quotasOf(project)).members).toMatchObject({ limit: 2, used: 2, is_nearly_used: true });
    await setQuotas(project, { members: 3 });
    expect((await accept()).status).toBe(201);
    expect((await quotasOf(project)).members.used).toBe(3);
  });
});

describe('operators', () => {
  it('see the share of each quota in the metrics', async () => {
    const project = await limited({ events_per_day: 8, cohorts: 0, members: null });
    await send(project, events(2));
    const text = await (await fetch(metricsUrl)).text();
    const lines = text.split('\n').filter((line) => line.includes(`kohort_quota_used_ratio{project="${project.id}"`));
    expect(lines.sort()).toEqual([
      `kohort_quota_used_ratio{project="${project.id}",quota="cohorts"} 1`,
      `kohort_quota_used_ratio{project="${project.id}",quota="events_per_day"} 0.25`,
    ]);
  });

  it('find one line in the log when a quota is nearly used up', async () => {
    const written: object[] = [];
    const logger = service.app.get<Logger>(LOGGER);
    const warn = logger.warn.bind(logger);
    logger.warn = (fields: object) => void written.push(fields);
    try {
      const watch = service.app.get(QuotaWatch);
      const project = await limited({ cohorts: 0, events_per_day: 5 });
      const of = () => written.filter((fields) => (fields as { project?: number }).project === project.id);
      await watch.look(new Date());
      await watch.look(new Date());
      expect(of()).toEqual([{ project: project.id, quota: 'cohorts', limit: 0, used: 0 }]);
      await send(project, events(4));
      await watch.look(new Date());
      await watch.look(new Date());
      expect(of()).toEqual([
        expect.objectContaining({ quota: 'cohorts' }),
        { project: project.id, quota: 'events_per_day', limit: 5, used: 4 },
      ]);
    } finally {
      logger.warn = warn;
    }
  });
});
