import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { foundBacklogs } from '../../src/platform/telemetry/background-runs.js';
import { Workers } from '../../src/platform/work/workers.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';

describe('GET /api/background_work', () => {
  let service: TestService;
  const work = async (query = {}) => (await service.call('GET', '/api/background_work', { query })).body;

  beforeAll(async () => {
    // Spec files of one process share what compression found.
    foundBacklogs.clear();
    service = await startTestService({ COHORT_REFRESH_MINUTES: '60' });
  });
  afterAll(() => service.stop());

  it('lists each kind of work, what has waited longest first', async () => {
    const of = new PersonsOf(service, service.project.id);
    const { id } = await of.make(['ada']);
    await of.call('DELETE', `persons/${id}`, { query: { delete_events: 'true' } });
    const before = (await work()) as { count: number; results: { task: string; oldest_waiting_seconds: number }[] };
    // Compression and the archive are listed, too, once this process has looked at their queues.
    for (const task of ['cohorts', 'deletions', 'imports', 'project_deletions', 'webhooks'])
      expect(before.results).toContainEqual({ task, waiting: expect.any(Number), oldest_waiting_seconds: 0 });
    await service.pool.query(`UPDATE deletion_requests SET scheduled_for = now() - interval '90 minutes'`);
    const [first, second] = ((await work()) as typeof before).results;
    expect(first).toEqual({ task: 'deletions', waiting: 1, oldest_waiting_seconds: expect.closeTo(5400, -2) });
    expect(second).toMatchObject({ oldest_waiting_seconds: 0 });
    expect(await work({ limit: 1 })).toMatchObject({ count: before.count, results: [{ task: 'deletions' }] });
  });

  it('is for owners of the installation', async () => {
    const { text: key } = await service.newKey({ scopes: ['project:read'] });
    expect(await service.call('GET', '/api/background_work', { key })).toMatchObject({ status: 403 });
  });

  it('counts a cohort that no worker marks as due', async () => {
    await service.app.get(Workers).stop();
    const filters = { properties: { type: 'AND', values: [{ type: 'person', key: 'n', value: ['1'] }] } };
    const body = { name: 'Ones', filters };
    await service.call('POST', `/api/projects/${service.project.id}/cohorts`, { body });
    await service.pool.query(
      `UPDATE cohorts SET is_calculating = false, last_attempt_at = now() - interval '3 hours', calculation_now = NULL`,
    );
    const { results } = (await work()) as { results: object[] };
    expect(results[0]).toEqual({ task: 'cohorts', waiting: 1, oldest_waiting_seconds: expect.closeTo(7200, -2) });
  });
});
