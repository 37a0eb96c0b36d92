// ClickHouse's HTTP interface over the embedded engine, in a process of its own.
// node clickhouse-http-server.mjs --path <folder> [--port 0]   (CLICKHOUSE_PASSWORD sets the password of user "default")
// Prints {"url":"…"} once it listens; ends on SIGTERM, or when the process that holds the other end of its stdin pipe does.
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { fstatSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { URL } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import chdb from 'chdb';

const { values: given } = parseArgs({ options: { path: { type: 'string' }, port: { type: 'string', default: '0' } } });
if (!given.path) throw new Error('--path names the data folder');
mkdirSync(given.path, { recursive: true });
const password = process.env.CLICKHOUSE_PASSWORD ?? '';

const literal = (text) => `'${text.replace(/[\\'\0]/g, (c) => ({ '\\': '\\\\', "'": "\\'", '\0': '\\0' })[c])}'`;

/** What the HTTP layer of the real server takes for itself. */
const reserved = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'session_id',
  'session_timeout',
  'role',
  'wait_end_of_query',
  'buffer_size',
  'compress',
  'decompress',
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'cancel_http_readonly_queries_on_client_close',
  'log_comment',
]);

/** Sessions by their readonly level, which cannot be taken back once set. A session runs one statement at a time. */
const sessions = { 0: pool(), 1: pool(), 2: pool() };
const control = new chdb.Session(given.path);
const version = String(
  Buffer.from((await control.queryAsync('SELECT version()', { format: 'TSVRaw' })).bytes()),
).trim();

function openSession() {
  const session = new chdb.Session(given.path);
  // Parameters come as SQL here; the real server does not count them as part of the query.
  session.query('SET max_query_size = 268435456');
  return { session, dirty: new Set() };
}

function pool(size = 12) {
  const free = [];
  const waiting = [];
  let open = 0;
  return {
    async take() {
      if (free.length > 0) return free.pop();
      if (open < size) {
        open += 1;
        return openSession();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    give(entry) {
      const next = waiting.shift();
      if (next) next(entry);
      else free.push(entry);
    },
    renew(entry) {
      entry.session.close();
      this.give(openSession());
    },
  };
}

class Refusal extends Error {
  constructor(code, type, message) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`);
  }
}

const statusOf = {
  36: 400,
  38: 400,
  41: 400,
  47: 404,
  60: 404,
  62: 400,
  81: 404,
  115: 400,
  241: 500,
  456: 400,
  457: 400,
  516: 403,
  48: 501,
};

const readBody = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
};

const readRequest = async (request) => {
  const params = new URL(request.url, 'http://localhost').searchParams;
  const body = await readBody(request);
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  if (boundary) for (const [name, value] of multipart(body.toString(), boundary)) params.set(name, value);
  return { params, text: [params.get('query') ?? '', boundary ? '' : body.toString()].filter(Boolean).join('\n') };
};

const multipart = (body, boundary) =>
  body
    .split(`--${boundary}`)
    .map((part) => /name="([^"]+)"[^]*?\r\n\r\n([^]*)\r\n$/.exec(part))
    .filter(Boolean)
    .map(([, name, value]) => [name, value]);

const authenticate = (request, params) => {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const [basicUser, ...rest] = basic ? Buffer.from(basic, 'base64').toString().split(':') : [];
  const user = basicUser ?? request.headers['x-clickhouse-user'] ?? params.get('user') ?? 'default';
  const key = basic ? rest.join(':') : (request.headers['x-clickhouse-key'] ?? params.get('password') ?? '');
  if (user === 'default' && key === password) return;
  throw new Refusal(
    516,
    'AUTHENTICATION_FAILED',
    `${user}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
};

const statementFor = (entry, params, text, id, method) => {
  const settings = [...params].filter(([name]) => !reserved.has(name) && name !== 'readonly');
  for (const [name] of settings) {
    if (!/^\w+$/.test(name)) throw new Refusal(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`);
  }
  const names = new Set(settings.map(([name]) => name));
  const stale = [...entry.dirty].filter((name) => !names.has(name));
  const level = readonlyLevel(params, method);
  const assignments = [
    ...stale.map((name) => (name.startsWith('param_') ? `${name} = ''` : `${name} = DEFAULT`)),
    ...settings.map(([name, value]) => `${name} = ${literal(value)}`),
    `log_comment = ${literal(id)}`,
    ...(level === 0 ? [] : [`readonly = ${level}`]),
  ];
  for (const name of names) entry.dirty.add(name);
  const database = (params.get('database') || 'default').replaceAll('\\', '\\\\').replaceAll('`', '\\`');
  return `USE \`${database}\`; SET ${assignments.join(', ')}; ${text}`;
};

/** A GET may not write, as on the real server, where it still may set settings only if asked for level 2. */
const readonlyLevel = (params, method) => Number(params.get('readonly') ?? 0) || (method === 'GET' ? 2 : 0);

const run = async (request, response, params, text, id) => {
  const level = readonlyLevel(params, request.method);
  const lane = sessions[level] ?? sessions[2];
  const entry = await lane.take();
  let running = true;
  response.on('close', async () => {
    if (params.get('cancel_http_readonly_queries_on_client_close') !== '1' || level === 0) return;
    for (; running; await sleep(50)) {
      await control.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${literal(id)} ASYNC`).catch(() => {});
    }
  });
  try {
    const format = params.get('default_format') ?? 'TabSeparated';
    return await entry.session.queryAsync(statementFor(entry, params, text, id, request.method), { format });
  } catch (error) {
    // The engine lists a failed statement as running until its connection gets another one.
    await entry.session.queryAsync('SELECT 1');
    throw error;
  } finally {
    running = false;
    if (level === 1) lane.renew(entry);
    else lane.give(entry);
  }
};

const answer = (request, response, params, result) => {
  const rows = String(result.rowsRead ?? 0);
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      read_rows: rows,
      read_bytes: String(result.bytesRead ?? 0),
      written_rows: '0',
      written_bytes: '0',
      total_rows_to_read: '0',
      result_rows: rows,
      result_bytes: '0',
      elapsed_ns: String(Math.round((result.elapsed ?? 0) * 1e9)),
    }),
  );
  response.setHeader(
    'Content-Type',
    /^JSON/.test(params.get('default_format') ?? '')
      ? 'application/x-ndjson; charset=UTF-8'
      : 'text/tab-separated-values; charset=UTF-8',
  );
  const gzip = params.get('enable_http_compression') === '1' && /gzip/.test(request.headers['accept-encoding'] ?? '');
  if (gzip) response.setHeader('Content-Encoding', 'gzip');
  const bytes = Buffer.from(result.bytes());
  response.end(gzip ? gzipSync(bytes) : bytes);
};

const fail = (response, error) => {
  const message = error instanceof Error ? error.message : String(error);
  const code = /Code: (\d+)/.exec(message)?.[1] ?? '1002';
  response.statusCode = statusOf[code] ?? 500;
  response.setHeader('X-ClickHouse-Exception-Code', code);
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
  response.end(`${message} (version ${version} (official build))\n`);
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/ping') return response.end('Ok.\n');
  if (pathname !== '/') return ((response.statusCode = 404), response.end(`There is no handle ${request.url}\n`));
  try {
    const { params, text } = await readRequest(request);
    authenticate(request, params);
    if (!text.trim()) throw new Refusal(62, 'SYNTAX_ERROR', 'Syntax error: empty query');
    const id = params.get('query_id') || randomUUID();
    response.setHeader('X-ClickHouse-Query-Id', id);
    response.setHeader('X-ClickHouse-Timezone', 'UTC');
    response.setHeader('X-ClickHouse-Server-Display-Name', 'clickhouse-http-server');
    response.setHeader('X-ClickHouse-Format', params.get('default_format') ?? 'TabSeparated');
    const result = await run(request, response, params, text, id);
    answer(request, response, params, result);
  } catch (error) {
    fail(response, error);
  }
});

server.keepAliveTimeout = 10_000;
server.listen(Number(given.port), '127.0.0.1', () => {
  const credentials = password ? `default:${encodeURIComponent(password)}@` : '';
  process.stdout.write(`${JSON.stringify({ url: `http://${credentials}127.0.0.1:${server.address().port}/` })}\n`);
});

const end = () => process.exit(0);
process.on('SIGTERM', end);
process.on('SIGINT', end);
const stdin = fstatSync(0);
if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on('end', end).on('error', end).resume();
