import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, type RequestOptions, request as requestOverTcp } from 'node:http';
import { Agent as TlsAgent, request as requestOverTls } from 'node:https';
import { stringify } from 'node:querystring';
import { StringDecoder } from 'node:string_decoder';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answeredError } from './errors.js';
import { type Bound, parameterText, quoteIdentifier } from './sql.js';

/** How much of an answer the server keeps in memory until the answer is complete. */
const bytesOfAnswer = 4 * 1024 ** 2;
/** Servers keep an idle connection longer, so none is used that the server is about to close. */
const idleMs = 2_500;
/** Proxies refuse long addresses: values that take more characters are sent as fields of a form. */
const charactersInAddress = 4_096;

const always = {
  // An error is returned as a status instead of in the middle of rows, and a closed connection stops the question.
  wait_end_of_query: '1',
  // The rest of an answer waits in a file. If the disk is full, the server sends an empty answer, as if there were no rows.
  http_response_buffer_size: String(bytesOfAnswer),
  cancel_http_readonly_queries_on_client_close: '1',
};

export type Headers = IncomingMessage['headers'];

/** Goes with a statement of any kind. */
export interface ServerCall {
  readonly query_id?: string;
  readonly abort_signal?: AbortSignal;
  readonly clickhouse_settings?: Readonly<Record<string, string | number>>;
}

export interface ServerStatement extends ServerCall {
  readonly query: string;
  readonly query_params?: Readonly<Record<string, Bound>>;
}

export interface ServerAnswer<T> {
  readonly headers: Headers;
  readonly content: T;
}

interface Access {
  readonly database: string;
  readonly connections: number;
  /** Compress rows that are inserted, for a network that is slower than the compression. */
  readonly compresses?: boolean;
}

interface Message {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  /** A message without a body is a GET. */
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const compressed = promisify(gzip);

/** Sends statements to a server, which may be the embedded engine, over connections that stay open between statements. */
export class HttpClient {
  private readonly agent: Agent;
  /** The host, the port, and the user with the password. */
  private readonly server: RequestOptions;
  private readonly request: typeof requestOverTcp;

  constructor(
    url: URL,
    private readonly access: Access,
  ) {
    const isSecure = url.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: access.connections, timeout: idleMs };
    this.agent = isSecure ? new TlsAgent(options) : new Agent(options);
    this.request = isSecure ? requestOverTls : requestOverTcp;
    this.server = urlToHttpOptions(url);
  }

  /** Returns the rows of an answer, which are parsed while it arrives. */
  async rows<T>(statement: ServerStatement): Promise<ServerAnswer<T[]>> {
    const rows: T[] = [];
    const decoder = new StringDecoder('utf8');
    let rest = '';
    const headers = await this.send({ ...statement, query: `${statement.query}\nFORMAT JSONEachRow` }, (chunk) => {
      const text = decoder.write(chunk);
      // Only ends of rows are line breaks: those in values are escaped.
      const end = text.lastIndexOf('\n');
      if (end >= 0) for (const row of rowsIn<T>(rest + text.slice(0, end))) rows.push(row);
      rest = end < 0 ? rest + text : text.slice(end + 1);
    });
    if (rest !== '') for (const row of rowsIn<T>(rest)) rows.push(row);
    return { headers, content: rows };
  }

  /** Returns the bytes of an answer in the format that the statement names. */
  async bytes(statement: ServerStatement): Promise<ServerAnswer<Buffer>> {
    const chunks: Buffer[] = [];
    const headers = await this.send(statement, (chunk) => chunks.push(chunk));
    const [only = Buffer.alloc(0), ...more] = chunks;
    return { headers, content: more.length === 0 ? only : Buffer.concat(chunks) };
  }

  /** Runs a statement whose answer says nothing. */
  async run(statement: ServerStatement): Promise<ServerAnswer<void>> {
    return { headers: await this.send(statement, ignore), content: undefined };
  }

  /** Inserts rows, which are lines of JSON, into a table. */
  async insert(table: string, rows: string, call: ServerCall): Promise<ServerAnswer<void>> {
    const path = this.pathOf(call, stringify({ query: `INSERT INTO ${quoteIdentifier(table)} FORMAT JSONEachRow` }));
    const form = this.access.compresses
      ? { body: await compressed(rows), headers: { 'Content-Encoding': 'gzip' } }
      : { body: rows };
    return { headers: await this.exchange({ path, signal: call.abort_signal, ...form }, ignore), content: undefined };
  }

  /** True if the server answers at all. */
  ping(signal: AbortSignal): Promise<boolean> {
    return this.exchange({ path: '/ping', signal }, ignore).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.agent.destroy();
  }

  private send(
    { query, query_params = {}, ...call }: ServerStatement,
    take: (chunk: Buffer) => void,
  ): Promise<Headers> {
    const bound = Object.fromEntries(
      Object.entries(query_params).map(([name, value]) => [`param_${name}`, parameterText(value)]),
    );
    const inAddress = new URLSearchParams(bound).toString();
    const isLong = inAddress.length > charactersInAddress;
    const path = this.pathOf(call, isLong ? '' : inAddress);
    return this.exchange(
      { path, signal: call.abort_signal, ...(isLong ? formOf({ query, ...bound }) : { body: query }) },
      take,
    );
  }

  private pathOf({ query_id, clickhouse_settings }: ServerCall, more: string): string {
    const id = query_id === undefined ? {} : { query_id };
    return `/?${stringify({ database: this.access.database, ...id, ...always, ...clickhouse_settings })}${more === '' ? '' : `&${more}`}`;
  }

  /** Sends a message, hands over the pieces of the answer, and returns its headers once it is complete. */
  private exchange({ path, signal, body, headers }: Message, take: (chunk: Buffer) => void): Promise<Headers> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const method = body === undefined ? 'GET' : 'POST';
      const named = { ...headers, 'User-Agent': 'kohort' };
      const request = this.request({ ...this.server, agent: this.agent, method, path, headers: named });
      const abort = () => request.destroy(signal?.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      const fail = (error: unknown) => {
        signal?.removeEventListener('abort', abort);
        reject((signal?.aborted ? signal.reason : error) as Error);
      };
      request.on('error', fail);
      request.on('response', (response) => {
        const isAnswer = response.statusCode === 200 && response.headers[codeOfError] === undefined;
        const complaint: Buffer[] = [];
        const takeNext = isAnswer ? take : (chunk: Buffer) => complaint.push(chunk);
        response.on('data', (chunk: Buffer) => {
          try {
            takeNext(chunk);
          } catch (error) {
            fail(error);
            request.destroy();
          }
        });
        response.on('error', fail);
        response.on('end', () => {
          if (!isAnswer) return fail(answeredError(Buffer.concat(complaint).toString(), response.headers[codeOfError]));
          signal?.removeEventListener('abort', abort);
          resolve(response.headers);
        });
      });
      request.end(body);
    });
  }
}

const codeOfError = 'x-clickhouse-exception-code';

const rowsIn = <T>(lines: string): T[] => JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as T[];

const ignore = (): void => undefined;

const formOf = (fields: Readonly<Record<string, string>>) => {
  const boundary = randomUUID();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    body: `${parts.join('')}--${boundary}--\r\n`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
};
