import { type HttpClient } from './http-client.js';
import { compile, identifier, sql, text } from './sql.js';

const lookMs = 1_000;
/** Does not wait for servers of the cluster that are away, because they do not run the statement. */
const impatient = { skip_unavailable_shards: 1, connect_timeout_with_failover_ms: 500 } as const;

/** The use by a running statement so far. */
export interface TakenSoFar {
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly readRows: number;
  readonly readBytes: number;
  readonly peakMemoryBytes: number;
}

export interface Look {
  /** True if others keep the processors from the statement. */
  readonly starves: boolean;
  /** Null for a statement that has ended, and when the engine does not say. */
  readonly taken: TakenSoFar | null;
}

/**
 * A statement starves if its threads have waited for processors for a while, and at least half as long as they have used them.
 * Waiting for other things does not count. An engine that does not answer this look in time counts as starved. On a cluster,
 * processor time is added up over the servers; the rows are taken from the first server, which counts those of all.
 */
export const lookAtRunning = async (control: HttpClient, id: string, cluster: string | null = null): Promise<Look> => {
  const processes =
    cluster === null ? sql`system.processes` : sql`clusterAllReplicas(${identifier(cluster)}, system.processes)`;
  const statement = sql`
    WITH ProfileEvents['OSCPUWaitMicroseconds'] / 1e6 AS waited, ProfileEvents['OSCPUVirtualTimeMicroseconds'] / 1e6 AS had
    SELECT max(is_initial_query AND waited >= elapsed / 4 AND waited >= had / 2) AS starves, max(elapsed) * 1000 AS "elapsedMs",
      sum(had) * 1000 AS "cpuMs", toFloat64(max(read_rows)) AS "readRows", toFloat64(max(read_bytes)) AS "readBytes",
      toFloat64(max(peak_memory_usage)) AS "peakMemoryBytes"
    FROM ${processes} WHERE initial_query_id = ${text(id)} HAVING count() > 0`;
  const late = AbortSignal.timeout(lookMs);
  try {
    const { content } = await control.rows<TakenSoFar & { starves: number }>({
      ...compile(statement),
      ...(cluster === null ? {} : { clickhouse_settings: impatient }),
      abort_signal: late,
    });
    const [row] = content;
    if (!row) return { starves: false, taken: null };
    const { starves, ...taken } = row;
    return { starves: starves === 1, taken };
  } catch {
    return { starves: late.aborted, taken: null };
  }
};
