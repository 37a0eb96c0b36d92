import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/**
 * A balancer in front of the servers of a cluster, which also does what the servers leave to Keeper: statements ON CLUSTER
 * run on every server, one after the other, and replicated tables are plain ones. Those must have a UUID, and it in their path.
 * A removal leaves out a server that does not listen; unlike Keeper, the balancer does not catch up on it later. Every other statement goes to the servers in turn, past those
 * that do not listen. It waits for a server that is starting again.
 */
export const startBalancer = async (ports, allStarted) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  let turn = 0;
  let queue = Promise.resolve();
  const inTurn = () => ports.map((_, at) => ports[(turn + at) % ports.length]);

  const server = createServer({ maxHeaderSize: 2 ** 21 }, async (incoming, outgoing) => {
    const leaving = new globalThis.AbortController();
    outgoing.once('close', () => outgoing.writableFinished || leaving.abort());
    try {
      const body = await buffer(incoming);
      const statement = ofCluster(incoming, body);
      const send = (port, text = body) => forward({ port, agent, incoming, text, signal: leaving.signal });
      turn += 1;
      await allStarted();
      if (statement !== null && !hasOwnPath(statement)) return refuse(outgoing, statement);
      const run = () => everywhere(ports, send, plain(statement), isLenient(incoming));
      const answer = statement === null ? await first(inTurn(), send) : await (queue = queue.then(run, run));
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
      answer.once('error', () => outgoing.destroy());
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${server.address().port}/`),
    close: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** The text of a statement ON CLUSTER; null for all other requests. */
const ofCluster = ({ url, headers }, body) => {
  if (/[?&]query=/.test(url) || /multipart/.test(headers['content-type'] ?? '')) return null;
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  if (
    !/^\s*(?:CREATE|ALTER|DROP|DELETE|EXCHANGE|OPTIMIZE|RENAME|TRUNCATE)\s(?:[^']|UUID '[^']*')*?\sON CLUSTER\s/.test(
      text,
    )
  )
    return null;
  return text;
};

const replicated = /Replicated(\w*MergeTree)\('\/clickhouse\/tables\/([^/']+)\/\{shard\}', '\{replica\}'(?:, )?/;

/** Whether a replica that is added later would find the table, whatever name it has then. */
const hasOwnPath = (statement) => {
  if (!/ENGINE = Replicated/.test(statement)) return true;
  const [, uuid] =
    /^\s*CREATE TABLE IF NOT EXISTS `[^`]+` UUID '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})' ON CLUSTER /.exec(
      statement,
    ) ?? [];
  return uuid !== undefined && replicated.exec(statement)?.[2] === uuid;
};

/** The code of BAD_ARGUMENTS. */
const refuse = (outgoing, statement) => {
  outgoing.writeHead(500, { 'x-clickhouse-exception-code': '36' });
  outgoing.end(`Code: 36. DB::Exception: no UUID, or another one than in the path in Keeper: ${statement}`);
};

/** As a server without Keeper runs it. */
const plain = (statement) =>
  statement
    .replace(/ ON CLUSTER `[^`]+`/, '')
    .replace(replicated, '$1(')
    .replace('replicated_deduplication_window', 'non_replicated_deduplication_window');

const isLenient = ({ url }) => url.includes('distributed_ddl_output_mode=null_status_on_timeout');

const first = async ([port, ...others], send) => {
  try {
    return await send(port);
  } catch (error) {
    if (error.code !== 'ECONNREFUSED' || others.length === 0) throw error;
    return first(others, send);
  }
};

/** The first refusal is the answer; the other servers have run the statement all the same. */
const everywhere = async (ports, send, statement, lenient) => {
  const all = await Promise.allSettled(ports.map((port) => send(port, Buffer.from(statement))));
  const there = all.filter(({ reason }) => reason?.code !== 'ECONNREFUSED');
  const answers = lenient && there.length > 0 ? there : all;
  const failed = answers.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  const [kept, ...others] = answers.map(({ value }) => value).sort((one, other) => other.statusCode - one.statusCode);
  for (const answer of others) answer.resume();
  return kept;
};

const forward = async ({ port, agent, incoming, text, signal }) => {
  const headers = { ...incoming.headers, host: `127.0.0.1:${port}`, 'content-length': text.length };
  delete headers.connection;
  delete headers['transfer-encoding'];
  if (!text.subarray(0, gzipMagic.length).equals(gzipMagic)) delete headers['content-encoding'];
  const onward = request({
    host: '127.0.0.1',
    port,
    method: incoming.method,
    path: incoming.url,
    headers,
    agent,
    signal,
  });
  onward.end(text);
  const [answer] = await once(onward, 'response');
  return answer;
};

const gzipMagic = Buffer.from([0x1f, 0x8b]);
