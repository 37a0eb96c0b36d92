import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Chunk } from './chunk.js';

export interface TableStores {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
}

export const lastChunk = (bytes: Uint8Array): Chunk => ({ bytes, records: 0, last: null, hasMore: false });

/** Returns null if an answer cannot contain so many rows, but may contain fewer. */
export const bytesOrNull = async (write: () => Promise<Buffer>, rows: number): Promise<Buffer | null> => {
  try {
    return await write();
  } catch (error) {
    const isTooMuch = error instanceof QueryTooExpensive && ['rows', 'memory'].includes(error.reason);
    if (isTooMuch && rows > 1) return null;
    throw error;
  }
};
