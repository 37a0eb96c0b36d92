import { type Problem, conflict, invalidInput, notFound, unavailable } from './problem.js';

/** SQLSTATE classes and codes that mean the database cannot serve now, but may in a moment. */
const unavailableStates = /^(08|53|57P0)/;
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const unavailableMessages =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error/;
/** The messages, often those of libpq, by which Citus reports a lost node. Its code is that of an internal or a disk error. */
const lostNodeMessages =
  /^(?:failed to (?:COPY to shard|complete COPY)|terminating connection |failure on connection marked as essential|SSL SYSCALL error|server closed the connection unexpectedly|connection not open|no connection to the server|could not (?:receive data from|send data to) server)/;

interface OperatorFault {
  readonly detail: string;
  readonly advice: string;
}

const oldPooler: OperatorFault = {
  detail: 'The database cannot be reached at the moment',
  advice:
    'the pooler of DATABASE_URL mixes up the prepared statements of its clients: use PgBouncer 1.21 or newer with max_prepared_statements = 300',
};

/** Faults of a server that only its operator can end, with a text for callers and advice for the operator. */
const operatorFaults: Readonly<Record<string, OperatorFault>> = {
  '53100': {
    detail: 'The disk of the database is full',
    advice: 'the disk of PostgreSQL is full: free space on that of DATA_DIR, or of the server of DATABASE_URL',
  },
  '53300': {
    detail: 'The database has no free connection at the moment',
    advice: 'PostgreSQL has no connection left: raise its max_connections, or lower DATABASE_POOL_SIZE',
  },
  '25006': {
    detail: 'The database takes no changes at the moment',
    advice: 'PostgreSQL is read-only: DATABASE_URL must name a primary, with default_transaction_read_only off',
  },
  '26000': oldPooler,
  '42P05': oldPooler,
  '58030': {
    detail: 'The database cannot read or write its files at the moment',
    advice: 'the disk of PostgreSQL fails: check that of DATA_DIR, or of the server of DATABASE_URL',
  },
};

/** A file on a read-only file system. PostgreSQL reports it with the code of a missing right and the text of the system. */
const readOnlyFile: OperatorFault = {
  detail: 'The database takes no changes at the moment',
  advice:
    'the file system of PostgreSQL is read-only: stop what writes to it, repair it and start again (the disk of DATA_DIR, or of the server of DATABASE_URL)',
};

const operatorFaultOf = (driverError: Error): OperatorFault | undefined => {
  if (isLostNode(driverError)) return undefined;
  return driverError.message.endsWith(': Read-only file system')
    ? readOnlyFile
    : operatorFaults[codeOf(driverError) ?? ''];
};

/** One line for the log about a fault that only an operator can end; null for any other. */
export const postgresAdvice = (error: unknown): string | null =>
  error instanceof Error ? (operatorFaultOf(driverErrorOf(error))?.advice ?? null) : null;

const driverErrorOf = (error: Error): Error =>
  'driverError' in error && error.driverError instanceof Error ? error.driverError : error;

/** Tells broken JSON by its message, because text that is not a number has the same code. */
const isBrokenJsonText = (error: Error, code: string | null): boolean =>
  code === '22P02' && error.message.includes('type json');

/** True if a statement failed because its project was deleted since the request started. */
export const isOfDeletedProject = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Citus looks for the node of a row, and misses the project there, before PostgreSQL checks the row.
  if (code === '22004') return /partition column/.test(error.message);
  if (code === '23502') return 'column' in error && error.column === 'project_id';
  return code === '23503' && 'constraint' in error && String(error.constraint).endsWith('_project_id_fkey');
};

const codeOf = (error: Error): string | null => ('code' in error && typeof error.code === 'string' ? error.code : null);

/**
 * Translates the error of a failed statement for the caller, also one that TypeORM has wrapped. Returns null if the service is
 * at fault.
 */
export const problemOfPostgresError = (error: Error): Problem | null => {
  const driverError = driverErrorOf(error);
  const code = codeOf(driverError);
  const fault = operatorFaultOf(driverError);
  if (fault) return unavailable(fault.detail);
  if (isPostgresUnavailable(driverError)) return unavailable('The database cannot be reached at the moment');
  if (code === '57014') return unavailable('The database did not answer in time');
  if (code === '40001' || code === '40P01') return unavailable('Too many changes at once: try again');
  if (isOfDeletedProject(driverError)) return notFound();
  if (code === '23505') return conflict('A record with these values already exists');
  if (code === '22021' || code === '22P05' || isBrokenJsonText(driverError, code))
    return invalidInput('Text must not contain NUL characters or broken UTF-8');
  return null;
};

/** True if the error ends the connection, or all connections (PANIC). The outcome of a COMMIT is unknown then. */
const endsConnection = (error: Error): boolean =>
  'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL');

export const isPostgresUnavailable = (error: Error): boolean => {
  if (endsConnection(error) || operatorFaultOf(error) !== undefined) return true;
  const code = codeOf(error);
  if (code !== null && (unavailableStates.test(code) || unavailableSystemCodes.has(code))) return true;
  return unavailableMessages.test(error.message) || isLostNode(error);
};

const isLostNode = (error: Error): boolean =>
  ['XX000', '58030'].includes(codeOf(error) ?? '') && lostNodeMessages.test(error.message);

/** True if one node of Citus does not answer, while statements for other nodes succeed. */
export const isNodeUnavailable = (error: Error): boolean => {
  if (!('severity' in error) || error.severity !== 'ERROR') return false;
  return /^(08|57P0)/.test(codeOf(error) ?? '') || isLostNode(error);
};
