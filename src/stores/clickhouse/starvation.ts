import { type ClickHouseClient } from '@clickhouse/client';

const lookMs = 1_000;

/**
 * Whether the threads of a running statement have waited for processors for a while, and at least half as long as they have had
 * them. A statement that waits for other things gets no more done alone. An engine that cannot even say so in time starves, too.
 */
export const starves = async (control: ClickHouseClient, id: string): Promise<boolean> => {
  const late = AbortSignal.timeout(lookMs);
  try {
    const result = await control.query({
      query: `WITH ProfileEvents['OSCPUWaitMicroseconds'] / 1e6 AS waited, ProfileEvents['OSCPUVirtualTimeMicroseconds'] / 1e6 AS had
        SELECT waited >= elapsed / 4 AND waited >= had / 2 AS starves FROM system.processes WHERE query_id = {id:String}`,
      format: 'JSONEachRow',
      query_params: { id },
      abort_signal: late,
    });
    return (await result.json<{ starves: number }>())[0]?.starves === 1;
  } catch {
    return late.aborted;
  }
};
