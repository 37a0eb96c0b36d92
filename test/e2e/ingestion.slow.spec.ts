import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type IngestionDto } from '../../src/events/ingestion/ingestion.dto.js';
import { Workers } from '../../src/platform/work/workers.js';
import { IngestionCounts } from '../../src/events/ingestion/ingestion-counts.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { freePort } from '../support/process.js';
import { startTestService, type TestService } from '../support/service.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

interface Sent {
  readonly project: { readonly id: number; readonly api_token: string };
  readonly batch: readonly object[];
  readonly now?: string;
}

const send = (service: ServiceHandle, { project, batch, now }: Sent) =>
  service.call('POST', '/batch', {
    key: null,
    body: { api_key: project.api_token, batch },
    headers: now === undefined ? {} : { 'X-Test-Now': now },
  });
const event = (distinct_id: string, more: object = {}) => ({ event: 'seen', distinct_id, uuid: randomUUID(), ...more });
const sdk = ($lib: string, $lib_version: unknown) => ({ properties: { $lib, $lib_version } });
const ingestionOf = async (service: ServiceHandle, projectId: number) =>
  (await service.call('GET', `/api/projects/${projectId}/ingestion`)).body as IngestionDto;
const nothing: IngestionDto = {
  accepted: 0,
  duplicates: 0,
  rejected: 0,
  rejected_by_reason: [],
  last_accepted_at: null,
  sdks: [],
};

describe('the ingestion of a project', () => {
  let service: ServiceHandle;
  afterAll(() => service.stop());

  it('counts what was accepted, what was sent again, and what was refused and why', async () => {
    service = await sharedService();
    const project = await service.newProject();
    const other = await service.newProject();
    expect(await ingestionOf(service, project.id)).toEqual(nothing);
    const ada = event('ada', sdk('web', '1.2'));
    const first = '2026-01-02T10:00:00.000Z';
    await send(service, { project, batch: [ada, event('bob', sdk('python', '3')), { event: 'seen' }], now: first });
    const second = '2026-01-02T11:00:00.000Z';
    await send(service, {
      project,
      batch: [event('cy', sdk('node', 5)), ada, { event: 'seen' }, event('x', { uuid: 'no' })],
      now: second,
    });
    const refused = await send(service, { project, batch: [{ event: 'seen' }], now: first });
    expect(refused.status).toBe(400);
    expect(await ingestionOf(service, project.id)).toEqual({
      accepted: 3,
      duplicates: 1,
      rejected: 4,
      rejected_by_reason: [
        { reason: 'required', events: 3, last_at: second },
        { reason: 'invalid_input', events: 1, last_at: second },
      ],
      last_accepted_at: second,
      sdks: [
        { name: 'node', version: '', last_seen_at: second },
        { name: 'web', version: '1.2', last_seen_at: first },
      ],
    });
    expect(await ingestionOf(service, other.id)).toEqual(nothing);
  });

  it('counts the events of a body that is refused as a whole', async () => {
    const project = await service.newProject();
    const body = `{"api_key":"${project.api_token}","batch":[{"event":"a","distinct_id":"x"},{"event":nonsense}]}`;
    const answer = await fetch(`${service.url}/batch`, { method: 'POST', body });
    expect(answer.status).toBe(400);
    const { rejected, rejected_by_reason } = await ingestionOf(service, project.id);
    expect([rejected, rejected_by_reason.map(({ reason }) => reason)]).toEqual([2, ['parse_error']]);
  });

  it('keeps the SDKs that were seen last, and 100 of them at most', async () => {
    const project = await service.newProject();
    for (let n = 0; n < 104; n += 1) {
      const now = new Date(Date.parse('2026-01-02T10:00:00Z') + n * 1000).toISOString();
      await send(service, { project, batch: [event('ada', sdk(`sdk-${n}`, 'x'.repeat(300)))], now });
      if (n % 26 === 0) await ingestionOf(service, project.id);
    }
    const { sdks, accepted } = await ingestionOf(service, project.id);
    expect([accepted, sdks.length, sdks[0]?.name, sdks.at(-1)?.name, sdks[0]?.version.length]).toEqual([
      104,
      100,
      'sdk-103',
      'sdk-4',
      100,
    ]);
  });
});

describe('the counts of ingestion', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const seriesIn = (metrics: string) =>
    metrics.split('\n').filter((line) => line.startsWith('kohort_captured_events_total{'));

  it('are metrics of each project on a port of their own', async () => {
    const port = await freePort();
    service = await startTestService({ METRICS_PORT: String(port) });
    const other = await service.newProject();
    const ada = event('ada');
    for (const batch of [
      [ada, event('bob'), { event: 'seen' }],
      [ada, ada],
    ])
      await send(service, { project: service.project, batch });
    await send(service, { project: other, batch: [event('ada')] });
    const series = seriesIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    const of = (project: number, outcome: string, reason = '') =>
      `kohort_captured_events_total{project="${project}",outcome="${outcome}",reason="${reason}"}`;
    const { id } = service.project;
    expect(series.sort()).toEqual(
      [
        `${of(id, 'accepted')} 2`,
        `${of(id, 'duplicate')} 2`,
        `${of(id, 'rejected', 'required')} 1`,
        `${of(other.id, 'accepted')} 1`,
      ].sort(),
    );
  });

  it('do not tell projects apart beside the API, where everyone reads them', async () => {
    service = await startTestService();
    const other = await service.newProject();
    for (const project of [service.project, other]) await send(service, { project, batch: [event('ada')] });
    const { text } = await service.call('GET', '/metrics', { key: null });
    expect(seriesIn(text)).toEqual(['kohort_captured_events_total{project="all",outcome="accepted",reason=""} 2']);
  });

  it('stay counted while PostgreSQL refuses them, and survive an orderly stop', async () => {
    service = await startTestService();
    const project = await service.newProject();
    const counts = service.app.get(IngestionCounts);
    const { pool } = service.app.get(Postgres);
    await send(service, { project, batch: [event('ada', sdk('web', '1'))] });
    await pool.query('ALTER TABLE ingestion_counts RENAME TO elsewhere');
    await expect(counts.store()).rejects.toThrow('ingestion_counts');
    await pool.query('ALTER TABLE elsewhere RENAME TO ingestion_counts');
    await send(service, { project, batch: [event('bob')] });
    expect(await ingestionOf(service, project.id)).toMatchObject({ accepted: 2, sdks: [{ name: 'web' }] });
    await send(service, { project, batch: [event('cy')] });
    await service.app.get(Workers).stop();
    const { rows } = await pool.query<{ events: string }>('SELECT events FROM ingestion_counts WHERE project_id = $1', [
      project.id,
    ]);
    expect(rows).toEqual([{ events: '3' }]);
  });
});
