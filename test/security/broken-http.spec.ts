import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { RawConnection } from '../support/sockets.js';

/** Requests by which one request is hidden in another, forms of no shape, and more than one connection may want at a time. */
let service: ServiceHandle;
let path: string;

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}`;
});
afterAll(() => service.stop());

/** What came back of bytes that were sent as they are: the statuses, and whether the connection was closed in time. */
const exchange = async (
  bytes: string | Buffer,
  waitMs = 300,
): Promise<{ statuses: number[]; text: string; closed: boolean }> => {
  const connection = await RawConnection.to(service.url);
  await connection.send(bytes);
  await connection.until(() => connection.isClosed || connection.text.includes('HTTP/1.1 '), 15_000);
  const text = await connection.untilClosed(waitMs);
  const closed = connection.isClosed;
  connection.close();
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)), text, closed };
};

/** A request that is answered only by a server which reads the bytes differently from a proxy before it. */
const hidden = 'GET /hidden-request HTTP/1.1\r\nHost: x\r\n\r\n';
const length = hidden.length;

const post = (headers: string, body: string): string =>
  `POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

const ended = `0\r\n\r\n${hidden}`;
const wrapped = `${length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

/** Framings that servers read in two ways; the service must refuse them, or take the rest for a body. */
const framings: Record<string, string> = {
  'a length and chunks': post(`Content-Length: ${length + 5}\r\nTransfer-Encoding: chunked`, ended),
  'chunks and a length': post(`Transfer-Encoding: chunked\r\nContent-Length: ${length + 5}`, ended),
  'two lengths': post(`Content-Length: 0\r\nContent-Length: ${length}`, hidden),
  'a list of lengths': post(`Content-Length: 0, ${length}`, hidden),
  'a length with a sign': post(`Content-Length: +${length}`, hidden),
  'a length below zero': post('Content-Length: -1', hidden),
  'a length in hexadecimal': post('Content-Length: 0x10', hidden),
  'a length beyond all numbers': post(`Content-Length: ${'9'.repeat(40)}`, hidden),
  'a length with a blank before the colon': post(`Content-Length : 0\r\nContent-Length: ${length}`, hidden),
  'chunks with a blank before the colon': post(`Transfer-Encoding : chunked\r\nContent-Length: ${length}`, hidden),
  'chunks that are not the last encoding': post('Transfer-Encoding: chunked, identity', ended),
  'chunks twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', ended),
  'chunks of another name': post(`Transfer-Encoding: xchunked\r\nContent-Length: ${length}`, hidden),
  'chunks after a tab': post(`Transfer-Encoding:\tchunked\r\nContent-Length: ${length}`, hidden),
  'chunks in a folded line': post(`Transfer-Encoding:\r\n chunked\r\nContent-Length: ${length}`, hidden),
  'a length in a folded line': post(`X: y\r\n Content-Length: ${length}`, hidden),
  'lines that end in LF': post(`Content-Length: ${length}`, hidden).replaceAll('\r\n', '\n'),
  'a line that ends in CR': post(`X: y\rContent-Length: ${length}`, hidden),
  'a NUL in a name': post(`Content-Length\0: 0\r\nContent-Length: ${length}`, hidden),
  'a chunk of no number': post('Transfer-Encoding: chunked', `zz\r\n${wrapped}`),
  'a chunk beyond all numbers': post('Transfer-Encoding: chunked', `${'f'.repeat(17)}0\r\n${wrapped}`),
  'a chunk with a sign': post('Transfer-Encoding: chunked', `-1\r\n${wrapped}`),
  'a chunk that is longer than it says': post('Transfer-Encoding: chunked', `1\r\n${hidden}\r\n0\r\n\r\n`),
  'a chunk with a quoted line in its extension': post('Transfer-Encoding: chunked', `1;a="\r\n"\r\nx\r\n${ended}`),
  'a chunk that ends in LF': post('Transfer-Encoding: chunked', `1\nx\n${ended}`),
  'trailers that set a length': post('Transfer-Encoding: chunked', `0\r\nContent-Length: ${length}\r\n\r\n`),
  'a GET with a body': `GET /_livez HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${hidden}`,
  'a version that does not exist': `GET /_livez HTTP/1.9\r\nHost: x\r\n\r\n${hidden}`,
  'a request line of HTTP/0.9': `GET /_livez\r\n${hidden}`,
  'HTTP/2 without an agreement': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an upgrade': `GET /_livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${length}\r\n\r\n${hidden}`,
};

/** Two requests that a server may well answer both, because nothing but the end of the first is unusual. */
const twoRequests = /^(chunks twice|a chunk that ends in LF|a chunk with a quoted line)/;

describe('bytes that two servers read differently', () => {
  it('would show what is hidden in them', async () => {
    const { statuses, text } = await exchange(`GET /_livez HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`);
    expect([statuses, text]).toEqual([[200, 404], expect.stringContaining('/hidden-request')]);
  });

  it.each(Object.entries(framings))(
    '%s: nothing hidden in them is answered, and none is a fault',
    async (name, bytes) => {
      const { statuses, text, closed } = await exchange(bytes);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const hiddenAnswer = /hidden-request/.test(text);
      expect([name, hiddenAnswer, text]).toEqual([name, false, text]);
      // What was refused for its framing leaves no connection on which the rest could be read as a request.
      if (statuses[0] === 400 && !twoRequests.test(name)) expect([name, closed]).toEqual([name, true]);
    },
  );

  it('an address with another host in it is a path of this service', async () => {
    const { statuses } = await exchange(`GET http://evil.test/_livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(statuses).toHaveLength(1);
    expect(statuses[0]).toBeLessThan(500);
  });
});

describe('requests in one go', () => {
  it('are answered in their order, and hold up nobody else', async () => {
    const many = 500;
    const connections = await Promise.all(Array.from({ length: 4 }, () => RawConnection.to(service.url)));
    const bytes = Array.from({ length: many }, (_, n) => `GET /none/${n} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
    await Promise.all(connections.map((connection) => connection.send(bytes)));
    const other = await service.call('GET', `${path}/persons`, { query: { limit: '1' } });
    expect(other.status).toBe(200);
    for (const connection of connections) {
      await connection.until(() => connection.isClosed || connection.text.includes(`/none/${many - 1}`), 15_000);
      // Beyond the limit of an address they are 429, which name no path.
      const named = [...connection.text.matchAll(/\/none\/(\d+)/g)].map(([, n]) => Number(n));
      expect(named.length).toBeGreaterThan(0);
      expect(named).toEqual([...new Set(named)].sort((a, b) => a - b));
      expect(connection.text.match(/HTTP\/1\.1 5\d\d/)).toBeNull();
      connection.close();
    }
  });

  it('with headers up to the limit are answered, and beyond it refused', async () => {
    const request = (headers: string) => `GET /_livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
    const lines = (count: number, value: string) =>
      Array.from({ length: count }, (_, n) => `x-${n}: ${value}\r\n`).join('');
    expect((await exchange(request(lines(150, 'y')))).statuses).toEqual([200]);
    expect((await exchange(request(lines(2_000, 'y'.repeat(50))))).statuses).toEqual([431]);
    expect((await exchange(request(`x: ${'y'.repeat(1e6)}\r\n`))).statuses).toEqual([431]);
    expect((await exchange(`GET /${'y'.repeat(1e6)} HTTP/1.1\r\nHost: x\r\n\r\n`)).statuses).toEqual([431]);
    expect((await exchange(request(`cookie: ${'a=b; '.repeat(2_000)}\r\n`))).statuses).toEqual([200]);
  });
});

const boundary = 'b'.repeat(30);
const part = (name: string, content: string, more = ''): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const file = part('csv', 'distinct_id\nada\n', '; filename="../../../etc/passwd"');
const named = part('name', 'Up') + part('is_static', 'true');
const last = `--${boundary}--\r\n`;

/** Forms with the status that each has. */
const forms: Record<string, [body: string, type?: string]> = {
  'no boundary': [named + file + last, 'multipart/form-data'],
  'an empty boundary': [named + file + last, 'multipart/form-data; boundary='],
  'a boundary of 10 kB': [named + file + last, `multipart/form-data; boundary=${'x'.repeat(10_000)}`],
  'another boundary': [named + file + last, 'multipart/form-data; boundary=other'],
  'no end': [named + file],
  'no body': [''],
  'nothing but boundaries': [`--${boundary}\r\n`.repeat(20_000) + last],
  'ten thousand fields': [Array.from({ length: 10_000 }, (_, n) => part(`f${n}`, 'x')).join('') + last],
  'one field ten thousand times': [part('name', 'x').repeat(10_000) + last],
  'a hundred files': [named + file.repeat(100) + last],
  'a part without a name': [`--${boundary}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${named}${file}${last}`],
  'a part without headers': [`--${boundary}\r\n\r\nx\r\n${named}${file}${last}`],
  'a part with headers of 1 MB': [
    `--${boundary}\r\n${`X-A: ${'y'.repeat(1000)}\r\n`.repeat(1000)}\r\nx\r\n${named}${file}${last}`,
  ],
  'a part in base64': [
    `${named}--${boundary}\r\nContent-Disposition: form-data; name="csv"; filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%\r\n${last}`,
  ],
  'a form in a form': [
    `${named}--${boundary}\r\nContent-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${file}${last}${last}`,
  ],
  'names of prototypes': [part('__proto__', '{}') + part('constructor[prototype][x]', 'y') + named + file + last],
  'names with brackets, deep': [part(`a${'[b]'.repeat(2_000)}`, 'x') + named + file + last],
  'a name with a NUL and a line': [part('na\0me\\"\r\nX: y', 'x') + named + file + last],
  'a charset that does not exist': [named + file + last, `multipart/form-data; boundary=${boundary}; charset=nope`],
  'a file name of 100 kB': [named + part('csv', 'distinct_id\nada\n', `; filename="${'x'.repeat(100_000)}"`) + last],
  'a file that is a path': [named + file + last],
};

describe('forms of an upload', () => {
  it.each(sampleOf(Object.entries(forms), 2))(
    'with %s are answered within seconds, and are no fault',
    async (name, [body, type]) => {
      const began = performance.now();
      const { status, body: answered } = await fetch(`${service.url}${path}/cohorts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.key}`,
          'content-type': type ?? `multipart/form-data; boundary=${boundary}`,
        },
        body,
      });
      const text = await new Response(answered).text();
      const mayBe = /a file that is a path|prototypes|charset|file name/.test(name)
        ? [201, 400]
        : [201, 400, 413, 415, 431];
      expect([name, mayBe.includes(status), status, text]).toEqual([name, true, status, text]);
      expect(text).not.toMatch(/etc\/passwd|kohort-uploads|node_modules/);
      expect(performance.now() - began).toBeLessThan(10_000);
    },
  );
});
