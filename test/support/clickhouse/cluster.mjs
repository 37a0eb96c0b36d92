import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBalancer } from './balancer.mjs';
import { freePort, startClickHouseServer } from './server.mjs';

const brokenEveryMs = 300;

/** After a fatal error the engine refuses all statements for seconds, because nothing takes its report. */
const endIfBroken = async ({ url, close }) => {
  const answer = await globalThis
    .fetch(new URL('/?query=SELECT+1', url), { signal: globalThis.AbortSignal.timeout(brokenEveryMs) })
    .catch(() => null);
  if ((await answer?.text().catch(() => ''))?.includes('shutting down due to a fatal error')) await close();
};

/** The name of the cluster in the configuration of its servers. */
export const clusterName = 'two';

/**
 * A second cluster of the same servers, as the two replicas of one shard. Nothing copies rows from the first to the second, which is
 * therefore as far behind as a replica can be. The first one answers as long as it is there, also late: a server would otherwise
 * ask the second one after a tenth of a second.
 */
export const pairName = 'pair';

/**
 * Two ClickHouse servers that are the shards of one cluster, behind a balancer that stands in for Keeper. A server reads
 * its own shard over the network, too: otherwise half of each question would never travel. As an operator may have set it,
 * a server leaves out a shard that is away, unless a statement forbids it. A server that ends by itself is started again: without
 * the program around it, the engine does not survive each connection that another server breaks off. Without a path it has a folder
 * of its own until it is closed.
 */
export const startClickHouseCluster = async ({ path } = {}) => {
  const folder = path ?? (await mkdtemp(join(tmpdir(), 'kohort-shards-')));
  const shards = await Promise.all([1, 2].map(async (number) => ({ number, port: await freePort() })));
  const replica = ({ port }) => `<replica><host>127.0.0.1</host><port>${port}</port></replica>`;
  const shard = (replicas) =>
    `<shard><internal_replication>true</internal_replication>${replicas.map(replica).join('')}</shard>`;
  const remote = `<${clusterName}>${shards.map((each) => shard([each])).join('')}</${clusterName}><${pairName}>${shard(shards)}</${pairName}>`;
  const start = ({ number, port }, httpPort) =>
    startClickHouseServer({
      path: join(folder, `shard-${number}`),
      port: httpPort,
      shard: {
        port,
        settings: `<remote_servers>${remote}</remote_servers>
          <macros><shard>${number}</shard><replica>1</replica></macros>`,
        profile:
          '<prefer_localhost_replica>0</prefer_localhost_replica><skip_unavailable_shards>1</skip_unavailable_shards><load_balancing>in_order</load_balancing><use_hedged_requests>0</use_hedged_requests><connect_timeout_with_failover_ms>10000</connect_timeout_with_failover_ms><allow_custom_error_code_in_throwif>1</allow_custom_error_code_in_throwif>',
      },
    });
  const servers = [];
  const stopped = new Set();
  const starts = [];
  let endedAt = 0;
  const started = async (at) => {
    const server = await start(shards[at], Number(servers[at]?.url.port ?? 0));
    servers[at] = server;
    void server.exited.then(() => {
      if (stopped.has(at)) return;
      endedAt = Date.now();
      starts[at] = started(at);
    });
  };
  const run = async (at) => {
    stopped.delete(at);
    await (starts[at] = started(at));
  };
  /** A server that has ended by itself may be starting again, and its ports belong to that one. */
  const stop = async (at) => {
    stopped.add(at);
    await starts[at];
    await servers[at].close();
  };
  await Promise.all(shards.map((_, at) => run(at)));
  const balancer = await startBalancer(
    servers.map(({ url }) => Number(url.port)),
    () => Promise.all(starts),
  );
  const watch = setInterval(() => servers.forEach((server) => void endIfBroken(server)), brokenEveryMs).unref();
  return {
    url: balancer.url,
    name: clusterName,
    pair: pairName,
    /** Kills a server, until `run` starts it again on the same ports and files. */
    stop,
    run,
    pid: (at) => servers[at].pid,
    /** When a server has last ended by itself. */
    endedAt: () => endedAt,
    urlOf: (at) => servers[at].url,
    close: async () => {
      globalThis.clearInterval(watch);
      await balancer.close();
      await Promise.all(shards.map((_, at) => stop(at)));
      if (path === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
};
