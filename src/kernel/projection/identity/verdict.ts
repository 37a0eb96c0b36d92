import { type FoundDatabase } from '../../../platform/clickhouse/schema/mark.js';
import { ClickHouseUnavailable } from '../../../platform/clickhouse/errors.js';
import { type RecordedIdentity } from './recorded-identity.js';

/**
 * Says how a database of ClickHouse relates to this PostgreSQL. `outdated`: it has another generation, because another database
 * became the projection after it, or because a restored PostgreSQL has forgotten its generation. `ahead`: it has shipments that
 * this PostgreSQL has lost.
 */
export type DatabaseVerdict = 'ours' | 'new' | 'empty' | 'outdated' | 'ahead' | 'foreign';

export interface Contents {
  readonly hasRows: () => Promise<boolean>;
  /** True if PostgreSQL has something to project. */
  readonly hasLog: () => Promise<boolean>;
  /** True if the database has shipments that PostgreSQL does not know. */
  readonly isAhead: () => Promise<boolean>;
}

export const isOurs = (
  { identity, generation }: Pick<RecordedIdentity, 'identity' | 'generation'>,
  { mark }: Pick<FoundDatabase, 'mark'>,
): boolean => mark !== null && mark.identity === identity && mark.generation === generation;

export const verdictOf = async (
  recorded: RecordedIdentity,
  found: FoundDatabase,
  { hasRows, hasLog, isAhead }: Contents,
): Promise<DatabaseVerdict> => {
  if (isOurs(recorded, found)) return (await isAhead()) ? 'ahead' : 'ours';
  if (found.mark) return found.mark.identity === recorded.identity ? 'outdated' : 'foreign';
  if (found.exists && (await hasRows())) return 'foreign';
  return recorded.generation === 0 && !(await hasLog()) ? 'new' : 'empty';
};

/** Thrown when the database has another projection than that of this PostgreSQL, or none. The message is for the operator. */
export class NotTheProjection extends ClickHouseUnavailable {}

export const faults = {
  missing: (database: string) =>
    new NotTheProjection(
      `ClickHouse has no database ${database}, and PostgreSQL has a projection: correct CLICKHOUSE_URL. If the database is lost, run \`npm run cli -- projection rebuild\`, which creates and fills it`,
    ),
  foreign: (database: string) =>
    new NotTheProjection(
      `${database} has the data of another installation than PostgreSQL: correct CLICKHOUSE_URL or DATABASE_URL, or name an empty database, which is filled from PostgreSQL`,
    ),
  elsewhere: (database: string) =>
    new NotTheProjection(
      `${database} is not the database to which the other processes ship: correct CLICKHOUSE_URL. To move the projection to this database, stop them first`,
    ),
  ahead: (database: string) =>
    new NotTheProjection(
      `${database} has what PostgreSQL has lost: a process with ROLE=worker or ROLE=all fills it again from PostgreSQL`,
    ),
  comparing: () =>
    new ClickHouseUnavailable(
      'PostgreSQL was started again: whether it has lost what ClickHouse has is being looked up',
    ),
  newer: (version: number, known: number) =>
    new NotTheProjection(
      `a newer release has migrated: the projection has version ${version}, this process knows ${known} and ships nothing any more. End it once a worker of the newer release runs`,
    ),
  unfilled: (database: string) =>
    new NotTheProjection(
      `${database} does not have what PostgreSQL has: start the service, which fills it, or correct CLICKHOUSE_URL`,
    ),
  lost: (database: string) =>
    new NotTheProjection(
      `${database} does not have the projection of this PostgreSQL: it was dropped, or CLICKHOUSE_URL names another database. An empty one is filled by itself`,
    ),
};

/** Answers questions while a rebuild fills a database that was empty, because a real answer would show little or nothing. */
export class BeingFilled extends ClickHouseUnavailable {
  constructor({ copied, toCopy }: Pick<RecordedIdentity, 'copied' | 'toCopy'>) {
    const progress =
      toCopy === 0
        ? 'which has not started yet'
        : `${copied.toLocaleString('en')} of ${toCopy.toLocaleString('en')} rows are there`;
    super(`ClickHouse is being filled from PostgreSQL: ${progress}`, {
      detail: `Analytics are being filled from the event log, ${progress}: ask again later`,
    });
  }
}
