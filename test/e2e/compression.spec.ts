import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

let service: ServiceHandle;
let persons: string;

const people = 1000;

beforeAll(async () => {
  service = await sharedService();
  persons = `/api/projects/${service.project.id}/persons?limit=${people}`;
  const properties = (n: number) => ({ email: `person-${n}@example.test`, plan: 'pro', $browser: 'Firefox', seats: n });
  const lines = Array.from({ length: people }, (_, n) => personLine(`person-${n}`, properties(n)));
  await importLines(service, service.project.id, lines);
});
afterAll(() => service.stop());

/** Neither supertest nor fetch shows the bytes as they were sent. */
const get = (path: string, acceptEncoding: string | null, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${service.key}`,
      ...(acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }),
    };
    const sent = request(service.url + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
      );
      answer.once('error', reject);
    });
    sent.once('error', reject);
    sent.end();
  });

const unpack = { gzip: gunzipSync, br: brotliDecompressSync };

describe('an answer', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0.5, br', 'br'],
    ['GZIP', 'gzip'],
  ] as const)('is compressed for Accept-Encoding: %s', async (accepted, encoding) => {
    const [plain, packed] = [await get(persons, null), await get(persons, accepted)];
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, encoding]);
    expect(unpack[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
    expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 6);
    for (const { headers } of [plain, packed]) expect(headers.vary).toContain('Accept-Encoding');
  });

  it.each([null, 'identity', 'gzip;q=0', 'zstd', 'deflate'])('is sent as it is for %s', async (accepted) => {
    const answer = await get(persons, accepted);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
    expect((JSON.parse(answer.bytes.toString()) as { count: number }).count).toBe(people);
  });

  it('as CSV is compressed while it is streamed', async () => {
    const path = `${persons}&format=csv`;
    const [plain, packed] = [await get(path, null), await get(path, 'gzip')];
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString());
    expect(plain.bytes.toString().split('\r\n')).toHaveLength(people + 2);
  });

  it('below 1 kB is sent as it is, and so is the answer to HEAD', async () => {
    expect(
      (await get(`/api/projects/${service.project.id}/cohorts`, 'gzip')).headers['content-encoding'],
    ).toBeUndefined();
    const head = await get(persons, 'gzip', 'HEAD');
    expect([head.status, head.headers['content-encoding'], head.bytes.length]).toEqual([200, undefined, 0]);
  });

  it('with a key or a token is not compressed, because its size could betray them', async () => {
    const query = `?insight=${'x'.repeat(1500)}`;
    const invitations = `/api/projects/${service.project.id}/invitations`;
    for (let n = 0; n < 10; n++)
      await service.call('POST', invitations, { body: { email: `invited-${n}@example.test`, role: 'viewer' } });
    expect((await get(invitations, 'identity')).bytes.length).toBeGreaterThan(1024);
    for (const path of [
      '/api/projects',
      `/api/projects/${service.project.id}`,
      '/api/users/@me',
      '/api/personal_api_keys',
      invitations,
    ]) {
      const answer = await get(path + query, 'gzip, br');
      expect([path, answer.status, answer.headers['content-encoding']]).toEqual([path, 200, undefined]);
    }
  });

  it('with the document is compressed', async () => {
    const answer = await get('/openapi.json', 'br');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(answer.bytes).toString())).toHaveProperty('openapi');
  });
});
