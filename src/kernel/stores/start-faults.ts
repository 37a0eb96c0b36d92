import { codeOf, dataDirFault } from '../../platform/embedded/data-dir-faults.js';
import { serversOf } from '../../platform/config/database-url.js';
import { ServerSilent } from '../../platform/postgres/connection.js';
import { mixedUpStatements } from '../../platform/postgres/prepared-statements.js';
import { StorageFault } from '../../platform/objects/object-store.js';
import { ClickHouseMisconfigured, ClickHouseUnavailable } from '../../platform/clickhouse/errors.js';

/** SQLSTATE codes of PostgreSQL when its files are damaged, missing or unreadable. */
const damagedFiles = new Set(['XX001', 'XX002', '58P01', '58030']);

/** The message names the backup, because nothing else can restore a damaged PostgreSQL. */
export const embeddedPostgresFault =
  (folder: string) =>
  (error: Error): string | null => {
    if (error instanceof StorageFault) return error.message;
    const fault = dataDirFault(folder)(error);
    if (fault !== null) return fault;
    const isDamaged = damagedFiles.has(codeOf(error)) || /not a valid data directory/.test(error.message);
    if (!isDamaged && !error.message.startsWith('The embedded PostgreSQL did not start')) return null;
    return (
      `DATA_DIR ${folder}: ${isDamaged ? 'PostgreSQL cannot read its files: ' : ''}${error.message.split('\n')[0]}. ` +
      'If its files are damaged, move the folder away and load the last backup into an empty one: npm run cli -- restore --from <folder of the backup>'
    );
  };

const networkFaults: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const isRestarting = /^57P0/;
const isCut = /Connection terminated|Client has encountered a connection error/;

const addressOf = (url: URL, defaultPort: number): string => `${url.hostname}:${url.port || defaultPort}`;

/** Explains a fault of DATABASE_URL. The user's name, the host and the database may appear; the password never does. */
export const databaseUrlFault =
  (url: URL) =>
  (error: Error): string | null => {
    const cause = 'driverError' in error && error.driverError instanceof Error ? error.driverError : error;
    const code = codeOf(cause);
    const address = serversOf(url)
      .map((each) => addressOf(each, 5432))
      .join(' or ');
    const isTimeout = cause instanceof ServerSilent || /timeout/i.test(cause.message);
    const network = networkFaults[code] ?? (isTimeout ? networkFaults.ETIMEDOUT : undefined);
    const fault = (text: string) => `DATABASE_URL: ${text}`;
    if (network) return fault(`no PostgreSQL answers at ${address}, ${network}: start it, or correct the address`);
    if (isRestarting.test(code) || isCut.test(cause.message))
      return fault(`PostgreSQL at ${address} starts or ends at the moment: start again once it answers`);
    if (code === '28P01' || code === '28000')
      return fault(`PostgreSQL at ${address} refuses the user ${userOf(url)}: correct the user or the password`);
    if (code === '3D000') return fault(`PostgreSQL at ${address} has no database ${databaseOf(url)}: create it`);
    if (code === '42501')
      return fault(`PostgreSQL at ${address} does not let ${userOf(url)} do this: ${cause.message}`);
    if (code === '53300') return fault(`PostgreSQL at ${address} has no connection left: raise max_connections`);
    if (code === '25006')
      return fault(`PostgreSQL at ${address} is read-only: name the primary, with default_transaction_read_only off`);
    if (mixedUpStatements.has(code))
      return fault(
        `the pooler at ${address} mixes up the prepared statements of its clients: use PgBouncer 1.21 or newer with max_prepared_statements = 300`,
      );
    if (/does not support SSL/.test(cause.message))
      return fault(`PostgreSQL at ${address} does not speak TLS: remove sslmode`);
    return null;
  };

const userOf = (url: URL): string => JSON.stringify(decodeURIComponent(url.username));
const databaseOf = (url: URL): string => JSON.stringify(decodeURIComponent(url.pathname.slice(1)));

export const clickhouseUrlFault =
  (url: URL) =>
  (error: Error): string | null => {
    const address = addressOf(url, url.protocol === 'https:' ? 443 : 80);
    if (error instanceof ClickHouseUnavailable && /answer/.test(error.message))
      return `CLICKHOUSE_URL: no ClickHouse answers at ${address}: start it, or correct the address`;
    if (error instanceof ClickHouseUnavailable) return `CLICKHOUSE_URL: ${address}: ${error.message}`;
    if (!(error instanceof ClickHouseMisconfigured)) return null;
    return error.message.startsWith('CLICKHOUSE_URL') ? error.message : `CLICKHOUSE_URL: ${error.message}`;
  };

/** Faults of the engine itself are shown as they are, in one line: it is not installed, or its folder is in use. */
export const embeddedClickHouseFault =
  (folder: string) =>
  (error: Error): string | null => {
    const fault = dataDirFault(folder)(error);
    if (fault !== null) return fault;
    return error instanceof ClickHouseMisconfigured || error instanceof ClickHouseUnavailable ? error.message : null;
  };
