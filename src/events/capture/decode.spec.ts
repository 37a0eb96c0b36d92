import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decode } from '../../../test/support/decoded-capture.js';
import { type CaptureRequest } from './decode.js';
import {
  maxBatchBytes,
  maxEventBytes,
  maxEventNodes,
  maxEventsPerBatch,
} from '../../kernel/event-log/normalise/limits.js';
import { leastCpuMs } from '../../../test/support/cpu.js';

const sampleEvent = {
  event: 'signed up',
  distinct_id: 'ada',
  properties: { café: '😀 a+b&c=d', '>>>': '~~~>>>>~~~>>>>' },
};
const sampleUuid = '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e';
const sampleBatch = { api_key: 'phc_a', batch: [sampleEvent], sent_at: '2024-03-01T10:00:00.000Z' };

const request = (body: Buffer | string, parts: Partial<CaptureRequest> & { search?: string } = {}): CaptureRequest => ({
  method: 'POST',
  query: new URLSearchParams(parts.search),
  headers: {},
  body: Buffer.from(body),
  ...parts,
});

const decodeJson = (value: unknown, search?: string) => decode(request(JSON.stringify(value), { search }));
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');

const decoded = { ok: true, token: 'phc_a', rawEvents: [sampleEvent] };
const refusal = (status: number, code: string, attr: string | null = null) => ({ ok: false, status, code, attr });

describe('every packing an SDK uses opens to the same events', () => {
  const json = JSON.stringify(sampleBatch);
  it('(the sample has what URLs spoil: + in its base64)', () => {
    expect(base64(json)).toContain('+');
  });
  const packings: [string, CaptureRequest][] = [
    ['plain JSON', request(json, { headers: { 'content-type': 'application/json' } })],
    ['JSON called text', request(json, { headers: { 'content-type': 'text/plain' } })],
    ['JSON after a byte order mark and blank lines', request(`\uFEFF\r\n  ${json}`)],
    ['gzip with its header', request(gzipSync(json), { headers: { 'content-encoding': 'gzip' } })],
    ['gzip named in the query', request(gzipSync(json), { search: 'compression=gzip-js' })],
    ['gzip recognised only by its bytes', request(gzipSync(json))],
    ['gzip compressed once more by a proxy', request(gzipSync(gzipSync(json)))],
    ['JSON that a proxy unpacked and left labelled', request(json, { headers: { 'content-encoding': 'gzip' } })],
    ['a form of base64', request(`data=${encodeURIComponent(base64(json))}`, { search: 'compression=base64' })],
    ['a form of base64 whose + was not escaped', request(`data=${base64(json)}`)],
    ['a form of JSON', request(`data=${encodeURIComponent(json)}`)],
    ['a form with other fields around', request(`ip=1&data=${encodeURIComponent(json)}&ver=1`)],
    ['a form of base64 of gzip', request(`data=${encodeURIComponent(base64(gzipSync(json)))}`)],
    ['base64', request(base64(json))],
    ['base64 in its URL alphabet', request(Buffer.from(json).toString('base64url'))],
    ['base64 of gzip', request(base64(gzipSync(json)))],
    ['GET with base64', request('', { method: 'GET', search: `data=${encodeURIComponent(base64(json))}` })],
    ['GET with base64 whose + was not escaped', request('', { method: 'GET', search: `data=${base64(json)}` })],
    ['GET with JSON', request('', { method: 'GET', search: `data=${encodeURIComponent(json)}` })],
  ];
  it.each(packings)('%s', async (_name, packed) => {
    expect(await decode(packed)).toEqual({
      ...decoded,
      sentAt: new Date('2024-03-01T10:00:00.000Z'),
      historicalMigration: false,
      rejected: [],
    });
  });
});

describe('every shape of body', () => {
  it('a single event is a batch of one', async () => {
    const event = { ...sampleEvent, api_key: 'phc_a' };
    expect(await decodeJson(event)).toMatchObject({ ok: true, token: 'phc_a', rawEvents: [event] });
  });
  it('a list of events carries its token in the events', async () => {
    const event = { ...sampleEvent, properties: { token: 'phc_a' } };
    expect(await decodeJson([event, event])).toMatchObject({ ok: true, token: 'phc_a', rawEvents: [event, event] });
  });
  it('historical_migration is reported', async () => {
    expect(await decodeJson({ ...sampleBatch, historical_migration: true })).toMatchObject({
      historicalMigration: true,
    });
  });
  it('sent_at of the body goes before _ of the query, which is in milliseconds', async () => {
    const fromQuery = new Date('2024-03-01T09:00:00.000Z');
    const search = `_=${fromQuery.getTime()}`;
    expect(await decodeJson(sampleBatch, search)).toMatchObject({ sentAt: new Date('2024-03-01T10:00:00.000Z') });
    expect(await decodeJson({ ...sampleBatch, sent_at: undefined }, search)).toMatchObject({ sentAt: fromQuery });
    expect(await decodeJson({ ...sampleBatch, sent_at: 'soon' }, '_=later')).toMatchObject({ ok: true, sentAt: null });
  });
});

describe('what stands twice or in disguise is read as JSON.parse reads it', () => {
  const same: [string, string][] = [
    ['api_key twice', '{"api_key":"phc_b","batch":[{"event":"e"}],"api_key":"phc_a"}'],
    ['keys with escapes', '{"api\\u005fkey":"phc_a","b\\u0061tch":[{"event":"e"}]}'],
    ['white space everywhere', ' {\n"api_key"\t:\r\n"phc_a" , "batch" : [ {"event":"e"} ] } \n'],
    ['batch inside of an event', '[{"api_key":"phc_a","batch":[1,2]},{"event":"e","batch":{"batch":[]}}]'],
    ['batch as a value', '{"api_key":"phc_a","event":"batch","batches":[1,2]}'],
    ['brackets inside of a text', '{"api_key":"phc_a","batch":[{"event":"]}],\\"[{"}],"x":"[{"}'],
    ['an event twice in one list', '{"api_key":"phc_a","batch":[1,[],{},"x",null,{"event":"e","event":"f"}]}'],
    ['__proto__', '{"api_key":"phc_a","__proto__":{"batch":[1]},"event":"e"}'],
  ];
  it.each(same)('%s', async (_name, json) => {
    const value = JSON.parse(json) as { batch?: unknown[] };
    const rawEvents = Array.isArray(value) ? value : (value.batch ?? [value]);
    expect(await decode(request(json))).toMatchObject({ ok: true, token: 'phc_a', rawEvents });
  });
  it('a second batch is refused, because the events of the first would be lost', async () => {
    for (const key of ['batch', 'b\\u0061tch']) {
      const json = `{"api_key":"phc_a","batch":[{"event":"e"}],"${key}":[{"event":"f"}]}`;
      expect(await decode(request(json))).toMatchObject(refusal(400, 'invalid_input', 'batch'));
    }
  });
  const broken = [
    '[{"api_key":"phc_a"},]',
    '[,{"api_key":"phc_a"}]',
    '[{"api_key":"phc_a"},,{}]',
    '[{"api_key":"phc_a"}}',
    '[{"api_key":"phc_a"}]]',
    '[{"api_key":"phc_a"}] x',
    '[{"api_key":"phc_a"} {}]',
    '[{"api_key":"phc_a"},{"x":[}]]',
    '{"api_key":"phc_a","batch":[{}}]',
    '{"api_key":"phc_a","batch" [{}]}',
    '{"api_key":"phc_a","batch":5 [{}]}',
    '{"api_key":"phc_a","batch":[{}][{}]}',
    '{"api_key":"phc_a","x":1 "batch":[{}]}',
    '{"api_key":"phc_a","batch":[{}],}',
    `[{"api_key":"phc_a"},${'['.repeat(101)}${']'.repeat(100)}}]`,
    `[{"api_key":"phc_a"},{"x":${'['.repeat(101)}01${']'.repeat(101)}}]`,
  ];
  it.each(broken)('what is not JSON is refused as a whole: %s', async (json) => {
    expect(await decode(request(json))).toMatchObject(refusal(400, 'parse_error'));
  });
});

describe('what cannot be read is refused with its reason', () => {
  const truncated = gzipSync(JSON.stringify(sampleBatch)).subarray(0, 40);
  const refusals: [string, CaptureRequest, object][] = [
    ['an empty body', request(''), refusal(400, 'required', 'data')],
    ['GET without data', request('', { method: 'GET' }), refusal(400, 'required', 'data')],
    ['words', request('hello, world'), refusal(400, 'parse_error')],
    ['base64 of words', request(base64('hello, world')), refusal(400, 'parse_error')],
    ['random bytes', request(Buffer.from([0, 1, 2, 250, 251])), refusal(400, 'parse_error')],
    ['half a JSON', request('{"api_key":'), refusal(400, 'parse_error')],
    ['gzip cut short', request(truncated), refusal(400, 'parse_error')],
    ['a badly escaped form', request('data=%E0%A4%A'), refusal(400, 'parse_error', 'data')],
    ['a bare number', request('12'), refusal(400, 'parse_error')],
    ['a batch that is no list', request('{"api_key":"phc_a","batch":{}}'), refusal(400, 'invalid_input', 'batch')],
    ['an empty batch', request('{"api_key":"phc_a","batch":[]}'), refusal(400, 'required', 'batch')],
    [
      'an unknown compression',
      request('N4Ig', { search: 'compression=lz64' }),
      refusal(400, 'parse_error', 'compression'),
    ],
  ];
  it.each(refusals)('%s', async (_name, sent, expected) => {
    expect(await decode(sent)).toMatchObject(expected);
  });
  it('names the compression it does not know', async () => {
    const refused = await decode(request('N4Ig', { search: 'compression=lz64' }));
    expect(refused).toMatchObject({ detail: 'compression lz64 is not supported, use gzip or base64' });
  });
});

describe('the token', () => {
  const carriers: [string, object][] = [
    ['api_key', { ...sampleEvent, api_key: 'phc_a' }],
    ['token', { ...sampleEvent, token: 'phc_a' }],
    ['$token', { ...sampleEvent, $token: 'phc_a' }],
    ['properties.token', { ...sampleEvent, properties: { token: 'phc_a' } }],
    ['properties.api_key', { ...sampleEvent, properties: { api_key: 'phc_a' } }],
    ['token of a batch', { token: 'phc_a', batch: [sampleEvent] }],
    ['an event of a batch', { batch: [sampleEvent, { ...sampleEvent, api_key: 'phc_a' }] }],
    ['properties of an event of a batch', { batch: [{ ...sampleEvent, properties: { token: 'phc_a' } }] }],
    ['all places at once', { api_key: 'phc_a', batch: [{ token: 'phc_a', properties: { token: 'phc_a' } }] }],
    ['an empty place is no place', { api_key: '', token: 'phc_a', batch: [sampleEvent] }],
  ];
  it.each(carriers)('is found in %s', async (_name, body) => {
    expect(await decodeJson(body)).toMatchObject({ ok: true, token: 'phc_a' });
  });

  const failed = refusal(401, 'authentication_failed', 'api_key');
  const bad: [string, object, object][] = [
    ['none', { batch: [sampleEvent] }, refusal(401, 'not_authenticated', 'api_key')],
    ['none in a list', [sampleEvent], refusal(401, 'not_authenticated', 'api_key')],
    ['a personal key', { api_key: 'phx_secret', batch: [sampleEvent] }, failed],
    ['a personal key beside a token', { api_key: 'phc_a', batch: [{ properties: { token: 'phx_secret' } }] }, failed],
    ['a number', { api_key: 5, batch: [sampleEvent] }, failed],
    ['an object', { api_key: {}, batch: [sampleEvent] }, failed],
    ['more than 64 characters', { api_key: `phc_${'a'.repeat(61)}`, batch: [sampleEvent] }, failed],
    ['letters outside ASCII', { api_key: 'phc_é', batch: [sampleEvent] }, failed],
    ['a NUL', { api_key: 'phc_\0', batch: [sampleEvent] }, failed],
    ['different ones in batch and event', { api_key: 'phc_a', batch: [{ token: 'phc_b' }] }, failed],
    ['different ones in two events', [{ api_key: 'phc_a' }, { properties: { token: 'phc_b' } }], failed],
  ];
  it.each(bad)('is refused: %s', async (_name, body, expected) => {
    expect(await decodeJson(body)).toMatchObject(expected);
  });
  it('different tokens are called inconsistent', async () => {
    const refused = await decodeJson([{ api_key: 'phc_a' }, { api_key: 'phc_b' }]);
    expect(refused).toMatchObject({ detail: 'inconsistent token, all events of a request must carry the same one' });
  });
  it("a sender's own property called token is not taken for ours", async () => {
    const batch = [{ ...sampleEvent, properties: { token: 'password-reset-1', api_key: 7 } }];
    expect(await decodeJson({ api_key: 'phc_a', batch })).toMatchObject({ ok: true, token: 'phc_a', rawEvents: batch });
  });
});

describe('limits', () => {
  const eventOf = (bytes: number) => {
    const empty = JSON.stringify({ event: 'e', distinct_id: 'd', properties: { p: '' } }).length;
    return { event: 'e', distinct_id: 'd', properties: { p: 'x'.repeat(bytes - empty) } };
  };
  it('an event of exactly one megabyte is taken, and one with one byte more refused alone with its place', async () => {
    const [fits, over] = [eventOf(maxEventBytes), { ...eventOf(maxEventBytes - 45), uuid: sampleUuid }];
    expect(await decodeJson({ api_key: 'phc_a', batch: [fits, fits] })).toMatchObject({ ok: true });
    const detail = 'an event may have at most 1048576 bytes of JSON, this one has 1048577';
    expect(await decodeJson({ api_key: 'phc_a', batch: [fits, over, sampleEvent] })).toMatchObject({
      rawEvents: [fits, sampleEvent],
      rejected: [{ index: 1, uuid: sampleUuid, code: 'too_large', detail }],
    });
  });
  it('a token is found in an event that is too large, and such an event must be valid JSON', async () => {
    const over = JSON.stringify({ ...eventOf(3 * maxEventBytes), api_key: 'phc_a' });
    const batch = (large: string) => decode(request(`[${large},${JSON.stringify(sampleEvent)}]`));
    expect(await batch(over)).toMatchObject({ ok: true, token: 'phc_a', rawEvents: [sampleEvent] });
    expect(await batch(`${over.slice(0, -1)},"x":y}`)).toMatchObject(refusal(400, 'parse_error'));
  });
  it('the megabyte is bytes, not characters', async () => {
    const event = { ...sampleEvent, api_key: 'phc_a', properties: { p: 'é'.repeat(maxEventBytes / 2) } };
    expect(await decodeJson(event)).toMatchObject(refusal(413, 'too_large'));
  });
  it('10,000 events are taken, one more is too large and refused as that', async () => {
    const batch = Array.from({ length: maxEventsPerBatch }, () => sampleEvent);
    expect(await decodeJson({ api_key: 'phc_a', batch })).toMatchObject({ ok: true });
    const refused = await decodeJson({ api_key: 'phc_a', batch: [...batch, sampleEvent] });
    expect(refused).toMatchObject(refusal(413, 'too_large', 'batch'));
    expect(refused).toMatchObject({ detail: 'a batch may have at most 10000 events, this one has more' });
  });
  it('a body of more than 20 MB is too large', async () => {
    const body = Buffer.alloc(maxBatchBytes + 1, ' ');
    expect(await decode(request(body))).toMatchObject(refusal(413, 'too_large'));
  });
  it('a batch that unpacks to exactly 20 MB is taken, to one byte more it is too large', async () => {
    const batch = Array.from({ length: 19 }, () => ({ ...sampleEvent, noise: randomBytes(512_000).toString('hex') }));
    const json = Buffer.from(JSON.stringify({ api_key: 'phc_a', batch }));
    const padded = (bytes: number) => gzipSync(Buffer.concat([json, Buffer.alloc(bytes - json.length, ' ')]));
    expect(await decode(request(padded(maxBatchBytes)))).toMatchObject({ ok: true });
    expect(await decode(request(padded(maxBatchBytes + 1)))).toMatchObject(refusal(413, 'too_large'));
  });
  it('beyond one megabyte, a body that unpacks to more than 200 times its size is too large', async () => {
    const packedEvents = (events: number) =>
      gzipSync(JSON.stringify({ api_key: 'phc_a', batch: Array.from({ length: events }, () => event) }));
    const event = { ...sampleEvent, text: 'x'.repeat(500) };
    expect(packedEvents(9_000).length).toBeLessThan((500 * 9_000) / 200);
    expect(await decode(request(packedEvents(9_000)))).toMatchObject(refusal(413, 'too_large'));
    expect(await decode(request(packedEvents(1_500)))).toMatchObject({ ok: true });
  });
  it('gzip in gzip unpacks to no more than its outer size allows', async () => {
    const inner = gzipSync(Buffer.concat([Buffer.from(JSON.stringify(sampleBatch)), Buffer.alloc(15_000_000, ' ')]));
    expect(await decode(request(gzipSync(inner)))).toMatchObject(refusal(413, 'too_large'));
  });
  it('an event of 100 levels is taken, and one of 101 refused alone with its place', async () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });
    const batch = [
      { ...sampleEvent, p: deep(99) },
      { ...sampleEvent, p: deep(100), uuid: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' },
      sampleEvent,
    ];
    expect(await decodeJson({ api_key: 'phc_a', batch })).toMatchObject({
      rawEvents: [batch[0], batch[2]],
      rejected: [{ index: 1, uuid: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e', code: 'invalid_input' }],
    });
  });
  it('an event of 10,000 values is taken, and one with one more refused alone', async () => {
    // The event itself, its list and its two strings count as values too.
    const eventOfNodes = (nodes: number) => ({
      event: 'e',
      distinct_id: 'd',
      list: Array.from({ length: nodes - 4 }, () => 0),
    });
    const batch = [eventOfNodes(maxEventNodes + 1), eventOfNodes(maxEventNodes)];
    expect(await decodeJson({ api_key: 'phc_a', batch })).toMatchObject({
      rawEvents: [batch[1]],
      rejected: [{ index: 0, uuid: null, code: 'too_large' }],
    });
    expect(await decodeJson({ ...batch[0], api_key: 'phc_a' })).toMatchObject({
      rawEvents: [],
      rejected: [{ index: 0 }],
    });
  });
  it('the token of an event that is refused alone must agree with the others', async () => {
    const refused = { api_key: 'phc_b', list: Array.from({ length: maxEventNodes }, () => 0) };
    const verdict = await decodeJson([{ ...sampleEvent, api_key: 'phc_a' }, refused]);
    expect(verdict).toMatchObject(refusal(401, 'authentication_failed', 'api_key'));
  });
  it('the values beside the events obey the limits of one event', async () => {
    const beside = (extra: object) => decodeJson({ api_key: 'phc_a', ...extra, batch: [sampleEvent] });
    expect(await beside({ list: Array.from({ length: maxEventNodes }, () => 0) })).toMatchObject(
      refusal(413, 'too_large'),
    );
    expect(await beside({ text: 'x'.repeat(maxEventBytes) })).toMatchObject(refusal(413, 'too_large'));
    expect(
      await decode(request(`{"api_key":"phc_a","x":${'['.repeat(1_001)}${']'.repeat(1_001)},"batch":[{}]}`)),
    ).toMatchObject(refusal(400, 'parse_error'));
  });
  it('form and base64 data of more than two megabytes are too large', async () => {
    const json = JSON.stringify({
      api_key: 'phc_a',
      batch: Array.from({ length: 5 }, () => eventOf(maxEventBytes / 2)),
    });
    expect(await decode(request(`data=${encodeURIComponent(json)}`))).toMatchObject(refusal(413, 'too_large'));
    expect(await decode(request(base64(json)))).toMatchObject(refusal(413, 'too_large'));
  });
});

describe('hostile bodies cost no more than honest ones', () => {
  it('a gzip bomb is stopped at the limit while the event loop stays free', async () => {
    const member = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 100 }, () => member));
    const before = process.memoryUsage().rss;
    let ticks = 0;
    const ticker = setInterval(() => ticks++, 5);
    const refused = await decode(request(bomb));
    clearInterval(ticker);
    expect(refused).toMatchObject(refusal(413, 'too_large'));
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    expect(ticks).toBeGreaterThan(0);
  });
  it('a bomb in a bomb is stopped too', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100 * 1024 * 1024)));
    expect(await decode(request(bomb))).toMatchObject(refusal(413, 'too_large'));
  });
  it.each(['[', '{"a":'])('megabytes of %s are refused without parsing them', async (opening) => {
    const body = opening.repeat(Math.floor(maxBatchBytes / opening.length));
    const refuse = async () => expect(await decode(request(body))).toMatchObject(refusal(400, 'parse_error'));
    expect(await leastCpuMs(refuse, 1_000)).toBeLessThan(1_000);
  });
  it('brackets inside text do not count as nesting', async () => {
    const properties = { text: '[{"\\'.repeat(5_000) };
    const event = { ...sampleEvent, api_key: 'phc_a', properties };
    expect(await decodeJson(event)).toMatchObject({ ok: true, rawEvents: [event] });
  });
  it('a form of millions of fields is searched, not parsed', async () => {
    const started = performance.now();
    const body = `${'a&'.repeat(9_000_000)}data=${encodeURIComponent(JSON.stringify(sampleBatch))}`;
    expect(await decode(request(body))).toMatchObject(decoded);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
  it('__proto__ in a body is a key like any other', async () => {
    const body = '{"__proto__":{"api_key":"phc_a"},"constructor":{"prototype":{"x":1}},"event":"e","distinct_id":"d"}';
    expect(await decode(request(body))).toMatchObject(refusal(401, 'not_authenticated', 'api_key'));
    expect(({} as Record<string, unknown>).api_key).toBeUndefined();
  });
});
