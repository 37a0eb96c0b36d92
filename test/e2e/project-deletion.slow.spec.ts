import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootstrapService } from '../../src/app/start/bootstrap.service.js';
import { type ProjectDeletionDto } from '../../src/projects/deletion/project-deletion.dto.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { identifier, sql, unsigned } from '../../src/platform/clickhouse/sql.js';
import { onCluster, storedTable } from '../../src/platform/clickhouse/schema/table.js';
import { capture, makeFullProject, writeFleeting, type FullProject } from '../support/project-deletion/full-project.js';
import { signedIn } from '../support/signed-in.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Counts = Record<string, number>;

/** Every table of PostgreSQL with a column `project_id`, and the keys, with the number of rows of the project. */
const inPostgres = async (project: number): Promise<Counts> => {
  const { rows: tables } = await service.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'project_id' ORDER BY 1`,
  );
  const counts: Counts = {};
  for (const { name } of tables) {
    const { rows } = await service.pool.query<{ n: string }>(
      `SELECT count(*) AS n FROM ${name} WHERE project_id = $1`,
      [project],
    );
    counts[name] = Number(rows[0]?.n);
  }
  const keys = 'SELECT count(*) AS n FROM personal_api_keys WHERE $1 = ANY (project_ids)';
  counts.personal_api_keys = Number((await service.pool.query<{ n: string }>(keys, [project])).rows[0]?.n);
  counts.projects = (await service.pool.query('SELECT 1 FROM projects WHERE id = $1', [project])).rowCount ?? 0;
  return counts;
};

const inClickHouse = async (project: number): Promise<Counts> => {
  const clickhouse = service.app.get(ClickHouse);
  const tables = await clickhouse.query<{ of: string }>(
    sql`SELECT DISTINCT replaceRegexpOne(table, '_local$', '') AS of FROM system.columns
      WHERE database = currentDatabase() AND name = 'project_id' ORDER BY of`,
    { project: 'system' },
  );
  const counts: Counts = {};
  for (const { of: name } of tables) {
    // Otherwise versions of a row would count until the engine merges them.
    await clickhouse.command(
      sql`OPTIMIZE TABLE ${storedTable(clickhouse.form, name)}${onCluster(clickhouse.form)} FINAL`,
    );
    const [counted] = await clickhouse.query<{ n: number }>(
      sql`SELECT count() AS n FROM ${identifier(name)} WHERE project_id = ${unsigned(project)}`,
      { project: 'system' },
    );
    counts[name] = counted?.n ?? 0;
  }
  return counts;
};

const namesOf = (counts: Counts, holds: (rows: number) => boolean) =>
  Object.keys(counts)
    .filter((name) => holds(counts[name] ?? 0))
    .sort();

const receiptOf = async (id: string) =>
  (await service.call('GET', `/api/project_deletions/${id}`)).body as ProjectDeletionDto;

const until = async (id: string, holds: (receipt: ProjectDeletionDto) => boolean): Promise<ProjectDeletionDto> => {
  for (let tries = 0; tries < 300; tries += 1) {
    const receipt = await receiptOf(id);
    if (holds(receipt)) return receipt;
    await sleep(100);
  }
  throw new Error(`not within 30 s: ${JSON.stringify(await receiptOf(id))}`);
};

const remove = ({ id, name }: Pick<FullProject, 'id' | 'name'>) =>
  service.call('DELETE', `/api/projects/${id}`, { query: { confirm_name: name } });

const untilShipped = async () => {
  while ((await service.pool.query('SELECT 1 FROM outbox LIMIT 1')).rowCount !== 0) await sleep(50);
};

/** Is changed by the service itself, however quiet it is. */
const unsteady = ['arrivals', 'cohorts', 'ingestion_counts', 'ingestion_libraries', 'outbox', 'project_costs'];

/** With Citus, the service brings the rows of one to the other, and ships them, while the tables are looked at. */
const underWay = process.env.TEST_CITUS_WORKERS ? ['node_outbox', 'outbox'] : [];

describe('a deleted project', () => {
  it('leaves nothing in any table of either store, and takes nothing from another project', async () => {
    const [doomed, other] = [await makeFullProject(service, 'Doomed'), await makeFullProject(service, 'Other')];
    const both = await service.newKey({ projectIds: [doomed.id, other.id] });
    await untilShipped();
    await writeFleeting(service, doomed.id);
    const before = await inPostgres(doomed.id);
    const projected = await inClickHouse(doomed.id);
    const kept = [await inPostgres(other.id), await inClickHouse(other.id)];
    // The test says something about every table.
    expect(namesOf(before, (rows) => rows === 0).filter((name) => !underWay.includes(name))).toEqual([]);
    expect(namesOf(projected, (rows) => rows === 0)).toEqual([]);
    expect([before, projected].map((counts) => Object.keys(counts).length > 4 && 'events' in counts)).toEqual([
      true,
      true,
    ]);

    const answer = await remove(doomed);
    expect([answer.status, answer.body]).toEqual([
      202,
      expect.objectContaining({
        project_id: doomed.id,
        project_name: 'Doomed',
        request_id: answer.headers['x-request-id'],
      }),
    ]);
    const { id } = answer.body as ProjectDeletionDto;
    expect(answer.headers.location).toBe(`/api/project_deletions/${id}`);
    const receipt = await until(id, ({ state }) => state === 'completed');
    expect(receipt).toMatchObject({ error: null, settled_at: null, verified_at: receipt.completed_at });
    expect(receipt.removed.clickhouse).toEqual(projected);
    expect(receipt.removed.postgresql).toMatchObject({
      events: before.events,
      persons: before.persons,
      person_distinct_ids: before.person_distinct_ids,
    });
    expect(namesOf(await inPostgres(doomed.id), (rows) => rows > 0)).toEqual([]);
    expect(namesOf(await inClickHouse(doomed.id), (rows) => rows > 0)).toEqual([]);

    const steady = (counts: Counts) =>
      Object.fromEntries(Object.entries(counts).filter(([name]) => !unsteady.includes(name)));
    expect([await inPostgres(other.id), await inClickHouse(other.id)].map(steady)).toEqual(kept.map(steady));
    expect((await service.call('GET', `/api/projects/${other.id}/persons`, { key: other.key.text })).status).toBe(200);
    // A key for both opens the other one only; without any project it would open all.
    const { rows } = await service.pool.query('SELECT project_ids FROM personal_api_keys WHERE id = $1', [both.id]);
    expect(rows).toEqual([{ project_ids: [other.id] }]);
    expect((await service.call('GET', '/api/projects', { key: doomed.key.text })).status).toBe(401);
  });

  it('is looked at again, for what was under way', async () => {
    const { id: project } = await service.newProject('Late');
    const { id } = (await remove({ id: project, name: 'Late' })).body as ProjectDeletionDto;
    await until(id, ({ state }) => state === 'completed');
    // The calculation of a cohort ends after the cohort is gone.
    await service.app
      .get(ClickHouse)
      .insert('cohort_members', [{ project_id: project, cohort_id: 1, version: 1, actor: 1 }]);
    await service.pool.query(
      `UPDATE project_deletions SET completed_at = completed_at - interval '1 hour' WHERE id = $1`,
      [id],
    );
    const settled = await until(id, ({ settled_at }) => settled_at !== null);
    expect(settled.removed.clickhouse).toEqual({ cohort_members: 1 });
    expect(settled.verified_at).toBe(settled.settled_at);
    expect(namesOf(await inClickHouse(project), (rows) => rows > 0)).toEqual([]);
  });

  it('does not exist from the answer on: 404 for every caller, and an unknown token', async () => {
    const { id, name, api_token: token } = await service.newProject('Shop');
    const event = { event: 'paid', distinct_id: 'ada', uuid: randomUUID() };
    expect((await capture(service, token, [event])).status).toBe(200);
    const unknown = await capture(service, 'phc_unknown', [event]);
    expect((await remove({ id, name })).status).toBe(202);
    // Also for an event that is known, which writes nothing.
    for (const batch of [[event], [{ ...event, uuid: randomUUID() }]]) {
      const answer = await capture(service, token, batch);
      expect([answer.status, answer.body]).toEqual([
        401,
        { ...(unknown.body as object), request_id: expect.any(String) },
      ]);
    }
    for (const path of ['', '/persons', '/events', '/cohorts', '/deletion_requests'])
      expect((await service.call('GET', `/api/projects/${id}${path}`)).body).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    expect(await remove({ id, name })).toMatchObject({ status: 404 });
    const listed = (await service.call('GET', '/api/projects', { query: { limit: 1000 } })).body as {
      results: { id: number }[];
    };
    expect(listed.results.map((project) => project.id)).not.toContain(id);
  });

  it.each([
    [undefined, 'required'],
    ['shop', 'invalid_input'],
    [' Shop', 'invalid_input'],
    ['', 'invalid_input'],
  ])('was confirmed by its name: %j is not', async (confirm, code) => {
    const { id } = await service.newProject('Shop');
    const options = confirm === undefined ? {} : { query: { confirm_name: confirm } };
    const answer = await service.call('DELETE', `/api/projects/${id}`, options);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code, attr: 'confirm_name' })]);
    expect((await service.call('GET', `/api/projects/${id}`)).status).toBe(200);
  });

  it('was deleted by an owner or a key for everything, who also read the receipts', async () => {
    const { id, name } = await service.newProject('Owned');
    const path = `/api/projects/${id}`;
    const query = { confirm_name: name };
    const keys = [
      await service.newKey({ projectIds: [id] }),
      await service.newKey({ scopes: ['project:write', 'person:write'] }),
    ];
    for (const { text: key } of keys) {
      expect((await service.call('DELETE', path, { key, query })).status).toBe(403);
      expect((await service.call('GET', '/api/project_deletions', { key })).status).toBe(403);
    }
    const admin = await signedIn(service, { roles: { [id]: 'admin' } });
    expect((await admin.call('DELETE', path, { query })).status).toBe(403);
    const owner = await signedIn(service, { isOwner: true });
    const deleted = await owner.call('DELETE', path, { query });
    expect([deleted.status, deleted.body]).toEqual([202, expect.objectContaining({ requested_by: owner.userId })]);
    const receipts = (await owner.call('GET', '/api/project_deletions')).body as { results: ProjectDeletionDto[] };
    expect(receipts.results[0]).toMatchObject({ project_id: id, project_name: name });
    expect((await owner.call('GET', `/api/project_deletions/${randomUUID()}`)).status).toBe(404);
    const entries = (await owner.call('GET', '/api/users/@me/activity')).body as { results: object[] };
    expect(entries.results).toContainEqual(
      expect.objectContaining({ scope: 'Project', activity: 'deleted', item_id: String(id) }),
    );
  });

  it('has answered each of its senders truthfully: what was accepted came before', async () => {
    const { id, name, api_token: token } = await service.newProject('Busy');
    const statuses: { readonly sentAt: number; readonly status: number }[] = [];
    let isDone = false;
    const sender = async () => {
      while (!isDone) {
        const sentAt = performance.now();
        const { status } = await capture(service, token, [{ event: 'e', distinct_id: randomUUID() }]);
        statuses.push({ sentAt, status });
      }
    };
    const senders = [sender(), sender(), sender(), sender()];
    await sleep(300);
    const { body } = await remove({ id, name });
    const answeredAt = performance.now();
    await sleep(300);
    isDone = true;
    await Promise.all(senders);
    const accepted = statuses.filter(({ status }) => status === 200);
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(accepted.filter(({ sentAt }) => sentAt > answeredAt)).toEqual([]);
    const receipt = await until((body as ProjectDeletionDto).id, ({ state }) => state === 'completed');
    expect(receipt.removed.postgresql.events).toBe(accepted.length);
    expect(namesOf(await inPostgres(id), (rows) => rows > 0)).toEqual([]);
  });

  it('was not the sign of an empty installation, even if it was the last one', async () => {
    await service.pool.query('UPDATE projects SET deleted_at = now()');
    const request = { projectName: 'Demo', email: 'demo@kohort.local', keyLabel: 'demo' };
    expect(await service.app.get(BootstrapService).bootstrap(request, new Date())).toBeNull();
  });
});
