import { DatabaseError } from 'pg';
import { isPostgresUnavailable } from '../../../platform/errors/store-errors.js';
import { ClickHouseUnavailable, engineCode } from '../../../platform/clickhouse/errors.js';
import { ArchiveUnavailable } from '../../../platform/objects/event-archive.js';
import { LeaseLost } from '../../../platform/postgres/lease.js';

/** SQLSTATE codes of a statement that took too long or lost a conflict, and may succeed the next time. */
const passing = new Set(['57014', '40001', '40P01', '55P03']);

/**
 * True if the fault may be in the shipment itself. An outage has no answer: a refused or broken connection, or a code of a
 * server without capacity. A server also answers without a code, when its HTTP interface refuses a request before the engine
 * sees it.
 */
export const mayLieInShipment = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof LeaseLost) return false;
  if (error instanceof ArchiveUnavailable) return false;
  if (error instanceof ClickHouseUnavailable) return error.cause instanceof Error && !('code' in error.cause);
  // Codes of PostgreSQL look like those of ClickHouse.
  if (!(error instanceof DatabaseError) && engineCode(error) !== null) return true;
  return !isPostgresUnavailable(error) && !('code' in error && passing.has(String(error.code)));
};

export const failureCauses = ['archive', 'lease', 'memory', 'postgres', 'refused', 'unreachable', 'other'] as const;

export type FailureCause = (typeof failureCauses)[number];

/** Of work on the projection. `refused`: ClickHouse answers, but cannot do this or will not. */
export const causeOf = (error: unknown): FailureCause => {
  if (error instanceof LeaseLost) return 'lease';
  if (error instanceof ArchiveUnavailable) return 'archive';
  if (error instanceof DatabaseError || (error instanceof Error && isPostgresUnavailable(error))) return 'postgres';
  const code = engineCode(error) ?? (error instanceof ClickHouseUnavailable ? engineCode(error.cause) : null);
  if (code !== null) return code === memoryLimit ? 'memory' : 'refused';
  if (error instanceof ClickHouseUnavailable) return mayLieInShipment(error) ? 'refused' : 'unreachable';
  return 'other';
};

const memoryLimit = '241';
