import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type AuditEntryDto } from '../../src/audit/audit.dto.js';
import { KilledService } from '../support/killed-service.js';
import { bootstrapFile, type BootstrapFile } from '../support/process.js';

let service: KilledService;
let made: BootstrapFile;

beforeAll(async () => {
  service = await KilledService.start();
  made = await bootstrapFile(service.dataDir);
});
afterAll(() => service.remove());

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}/api/projects/${made.project_id}${path}`, {
    ...init,
    headers: {
      Authorization: `Bearer ${made.personal_api_key}`,
      'Content-Type': 'application/json',
      ...(init.headers as Record<string, string> | undefined),
    },
  });

describe('a service that is killed while it sends personal data', () => {
  it('has recorded the read, without an end', async () => {
    const set = await call('', { method: 'PATCH', body: JSON.stringify({ audit_reads: true }) });
    expect(set.status).toBe(200);
    const ids = [randomUUID(), randomUUID()] as const;
    const stream = await call('/events/live?max_seconds=60', { headers: { 'X-Request-Id': ids[0] } });
    await stream.body?.getReader().read();
    const answer = await call('/persons', { headers: { 'X-Request-Id': ids[1] } });
    await answer.arrayBuffer();
    await service.kill();
    const { results } = (await (await call('/audit?limit=1000')).json()) as { results: AuditEntryDto[] };
    const of = (id: string) => results.find(({ request_id }) => request_id === id);
    expect(of(ids[0])).toMatchObject({ operation: 'watchEvents', ended_at: null, status: null, complete: null });
    expect(of(ids[1])).toMatchObject({ operation: 'listPersons' });
  });
});
