import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/**
 * A balancer in front of the servers of a cluster, which also does what the servers leave to Keeper: a statement ON CLUSTER
 * runs on every server, and replicated tables are plain ones. Every other statement goes to the servers in turn, past those
 * that do not listen. It waits for a server that is starting again.
 */
export const startBalancer = async (ports, allStarted) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  let turn = 0;
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
      const answer = statement === null ? await first(inTurn(), send) : await everywhere(ports, send, statement);
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

/** The text of a statement ON CLUSTER as a server without Keeper runs it; null for all other requests. */
const ofCluster = ({ url, headers }, body) => {
  if (/[?&]query=/.test(url) || /multipart/.test(headers['content-type'] ?? '')) return null;
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  if (!/^\s*(?:CREATE|ALTER|DROP|DELETE|EXCHANGE|OPTIMIZE|RENAME|TRUNCATE)\s[^']*?\sON CLUSTER\s/.test(text))
    return null;
  return text
    .replace(/ ON CLUSTER `[^`]+`/, '')
    .replace(
      /Replicated(\w*MergeTree)\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'(?:, )?/,
      '$1(',
    )
    .replace('replicated_deduplication_window', 'non_replicated_deduplication_window');
};

const first = async ([port, ...others], send) => {
  try {
    return await send(port);
  } catch (error) {
    if (error.code !== 'ECONNREFUSED' || others.length === 0) throw error;
    return first(others, send);
  }
};

/** The first refusal is the answer; the other servers have run the statement all the same. */
const everywhere = async (ports, send, statement) => {
  const answers = await Promise.allSettled(ports.map((port) => send(port, Buffer.from(statement))));
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
