import { type ClickHouseClient } from '@clickhouse/client';
import { compile, identifier, sql } from './sql.js';

/**
 * Each number is less than a ping may take: a shard is given up soon, and a replica that says nothing is passed over for
 * another one of its shard.
 */
const impatient = {
  skip_unavailable_shards: 0,
  connect_timeout_with_failover_ms: 500,
  handshake_timeout_ms: 500,
  hedged_connection_timeout_ms: 100,
  receive_data_timeout_ms: 300,
  receive_timeout: 1,
} as const;

/**
 * Whether every shard of the cluster answers. A server cannot answer a question without all shards, and one that waits for a shard
 * which stands still does so for minutes.
 */
export const everyShardAnswers = async (
  control: ClickHouseClient,
  cluster: string,
  timeoutMs: number,
): Promise<boolean> => {
  const { query } = compile(sql`SELECT count() FROM cluster(${identifier(cluster)}, system.one)`);
  try {
    await control.command({ query, clickhouse_settings: impatient, abort_signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  }
};
