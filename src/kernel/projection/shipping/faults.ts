import { DatabaseError } from 'pg';
import { isPostgresUnavailable } from '../../../platform/errors/store-errors.js';
import { ClickHouseUnavailable, engineCode } from '../../../platform/clickhouse/errors.js';
import { ArchiveUnavailable } from '../../../platform/objects/event-archive.js';
import { LeaseLost } from '../../../platform/postgres/lease.js';

/** SQLSTATE codes of a statement that took too long or lost a conflict, and may succeed the next time. */
const passing = new Set(['57014', '40001', '40P01', '55P03']);

/**
 * True if the fault may be in the shipment itself. In an outage, the connection is refused or broken, or a code says that the
 * server has no capacity. But an error without a code may also be an answer: the HTTP interface refuses some requests before
 * the engine sees them.
 */
export const mayLieInShipment = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof LeaseLost) return false;
  if (error instanceof ArchiveUnavailable) return false;
  if (error instanceof ClickHouseUnavailable)
    return error.cause instanceof Error && !('code' in error.cause) && engineCode(error.cause) === null;
  // Codes of PostgreSQL look like those of ClickHouse.
  if (!(error instanceof DatabaseError) && engineCode(error) !== null) return true;
  return !isPostgresUnavailable(error) && !('code' in error && passing.has(String(error.code)));
};

export const failureCauses = ['archive', 'lease', 'memory', 'postgres', 'refused', 'unreachable', 'other'] as const;

export type FailureCause = (typeof failureCauses)[number];

/** Returns why work on the projection failed. `refused`: ClickHouse answers, but cannot or will not do the work. */
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
