import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { engineCode } from './errors.js';
import { HttpClient } from './http-client.js';

type Answering = (request: IncomingMessage, response: ServerResponse) => unknown;

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A client of a server that answers as told. */
const clientOf = async (answer: Answering, access: { compresses?: boolean } = {}): Promise<HttpClient> => {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new HttpClient(new URL(`http://us%40er:p%3Ass@127.0.0.1:${port}/ignored`), {
    database: 'ours',
    connections: 2,
    ...access,
  });
  closing.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray());

describe('the client of ClickHouse', () => {
  it('parses rows whose bytes arrive in any pieces', async () => {
    const rows = [{ text: 'é\n"😀' }, { text: 'x'.repeat(200_000) }, { text: '' }];
    const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const client = await clientOf(async (_, response) => {
      for (const [from, to] of [
        [0, 11],
        [11, 12],
        [12, 17],
        [17, 18],
        [18, 90_000],
        [90_000, bytes.length],
      ] as const) {
        response.write(bytes.subarray(from, to));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect((await client.rows({ query: 'SELECT 1' })).content).toEqual(rows);
  });

  it('returns a last row without a line break, and refuses half a row', async () => {
    const answers = ['{"a":1}\n{"a":2}', '{"a":1}\n{"a":'];
    const client = await clientOf((_, response) => response.end(answers.shift()));
    expect((await client.rows({ query: 'SELECT 1' })).content).toEqual([{ a: 1 }, { a: 2 }]);
    await expect(client.rows({ query: 'SELECT 1' })).rejects.toThrow(SyntaxError);
  });

  it('sends who asks, the settings and the values in the address', async () => {
    const client = await clientOf(async (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://server');
      const sent = { ...Object.fromEntries(searchParams), body: String(await bodyOf(request)) };
      response.end(`${JSON.stringify({ ...sent, authorization: request.headers.authorization })}\n`);
    });
    const { content } = await client.rows({
      query: 'SELECT {p1:String}',
      query_params: { p1: "it's\ta\\\n\ud800", p2: ["it's", 'b'], p3: 7n, p4: true },
      query_id: 'q',
      clickhouse_settings: { max_threads: 0 },
    });
    expect(content[0]).toMatchObject({
      authorization: `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`,
      body: 'SELECT {p1:String}\nFORMAT JSONEachRow',
      ...{ database: 'ours', query_id: 'q', max_threads: '0', wait_end_of_query: '1' },
      ...{ param_p1: "it's\\ta\\\\\\n\ufffd", param_p2: "['it\\'s','b']", param_p3: '7', param_p4: 'true' },
    });
  });

  it('sends long values as fields of a form, and short ones not', async () => {
    const client = await clientOf(async (request, response) => {
      response.end(`${JSON.stringify({ address: request.url, body: String(await bodyOf(request)) })}\n`);
    });
    const ask = async (length: number) =>
      (
        await client.rows<{ address: string; body: string }>({
          query: 'SELECT {p1:String}',
          query_params: { p1: 'y'.repeat(length) },
        })
      ).content[0];
    expect((await ask(4_000))?.address).toContain('param_p1=yyy');
    const long = await ask(5_000);
    expect(long?.address).not.toContain('yyy');
    expect(long?.body).toMatch(/name="query"\r\n\r\nSELECT \{p1:String\}\nFORMAT JSONEachRow\r\n--/);
    expect(long?.body).toMatch(/name="param_p1"\r\n\r\ny{5000}\r\n--[-\w]+--\r\n$/);
  });

  it('compresses rows for a server, and none for the embedded engine', async () => {
    for (const compresses of [true, false]) {
      let sent = '';
      const client = await clientOf(
        async (request, response) => {
          const body = await bodyOf(request);
          sent = String(compresses ? gunzipSync(body) : body);
          expect(request.headers['content-encoding']).toBe(compresses ? 'gzip' : undefined);
          response.end();
        },
        { compresses },
      );
      await client.insert('a', '{"b":1}\n', {});
      expect(sent).toBe('{"b":1}\n');
    }
  });

  it('throws an error of the engine with its code, and words of a proxy without one', async () => {
    const answers = [
      { status: 404, code: '60', text: 'Code: 60. DB::Exception: No table `b`. (UNKNOWN_TABLE) (version 26.7)' },
      {
        status: 200,
        code: '241',
        text: 'Code: 241. DB::Exception: (total) memory limit exceeded (MEMORY_LIMIT_EXCEEDED)',
      },
      {
        status: 500,
        code: '57',
        text: 'Code: 57. DB::Exception: There was an error on [a:9000]: Code: 57. DB::Exception: It exists. (TABLE_ALREADY_EXISTS)',
      },
      { status: 502, code: undefined, text: '<html>Bad gateway</html>' },
    ];
    let at = 0;
    const client = await clientOf((_, response) => {
      const { status, code, text } = answers[at++] ?? { status: 200, code: undefined, text: '' };
      response.writeHead(status, code === undefined ? {} : { 'X-ClickHouse-Exception-Code': code }).end(text);
    });
    const failure = () => client.run({ query: 'SELECT 1' }).catch((error: unknown) => error as Error);
    const seen = [await failure(), await failure(), await failure(), await failure()];
    expect(seen.map((error) => [engineCode(error), (error as Error).message.trim()])).toEqual([
      ['60', 'No table `b`.'],
      ['241', '(total) memory limit exceeded'],
      ['57', 'It exists.'],
      [null, '<html>Bad gateway</html>'],
    ]);
    await expect(failure()).resolves.toEqual({ headers: expect.anything(), content: undefined });
  });

  it('throws the reason of its signal, before and while the server answers', async () => {
    const client = await clientOf((_, response) => void response.write('{"a":1}\n'));
    const reason = new Error('left');
    await expect(client.rows({ query: 'SELECT 1', abort_signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const asked = client.rows({ query: 'SELECT 1', abort_signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(asked).rejects.toBe(reason);
  });

  it('throws when the server breaks off an answer, or sends no JSON', async () => {
    const client = await clientOf((request, response) => {
      if (request.url?.includes('query_id=cut')) response.write('{"a":1}\n', () => response.destroy());
      else response.end('{"a":\n');
    });
    await expect(client.rows({ query: 'SELECT 1', query_id: 'cut' })).rejects.toThrow('aborted');
    await expect(client.rows({ query: 'SELECT 1' })).rejects.toThrow(SyntaxError);
    expect(await client.ping(AbortSignal.timeout(5_000))).toBe(true);
  });
});
