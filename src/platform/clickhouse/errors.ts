import { Problem } from '../errors/problem.js';

/**
 * ClickHouse is down, unreachable, shutting down or has no capacity for another statement. Trying again later can help.
 */
export class ClickHouseUnavailable extends Problem {
  override readonly name = 'ClickHouseUnavailable';

  /** The message is for the operator; callers only learn that they may try again. */
  constructor(
    message: string,
    {
      detail = 'Analytics cannot be reached at the moment',
      ...options
    }: ErrorOptions & { readonly detail?: string } = {},
  ) {
    super(503, 'server_error', 'unavailable', detail, null, { 'Retry-After': '1' });
    this.message = message;
    this.cause = options.cause;
  }
}

/** Nothing answers at the address of ClickHouse. An embedded engine is starting again then. */
export class ClickHouseAway extends ClickHouseUnavailable {}

/** ClickHouse is reachable, but not configured as the service needs it; the message names the necessary change. */
export class ClickHouseMisconfigured extends Error {
  override readonly name = 'ClickHouseMisconfigured';
}

export const busyError = () =>
  new ClickHouseUnavailable('ClickHouse is busy: too many statements of this project are waiting, try again shortly');
export const starvedError = (cause: unknown) =>
  new ClickHouseUnavailable('ClickHouse had too little processor time to end a statement within its limit', {
    cause,
    detail: 'The computer is too busy to answer the question in time: try again',
  });
export const closedError = () => new ClickHouseUnavailable('ClickHouse is closed: the service is shutting down');

export type Expense = 'time' | 'memory' | 'rows' | 'complexity';

/** The question can be answered, but not within its limits. A smaller question helps; trying again does not. */
export class QueryTooExpensive extends Problem {
  override readonly name = 'QueryTooExpensive';

  constructor(
    readonly reason: Expense,
    options: ErrorOptions = {},
  ) {
    super(400, 'validation_error', 'too_expensive', advice[reason]);
    this.cause = options.cause;
  }
}

/** RE2 cannot compile a pattern. Patterns come from callers only, so the caller must change it. */
export class InvalidRegex extends Problem {
  override readonly name = 'InvalidRegex';

  constructor(
    readonly reason: string,
    options: ErrorOptions = {},
  ) {
    super(400, 'validation_error', 'invalid_input', `A regular expression is not valid: ${reason}`);
    this.cause = options.cause;
  }
}

const advice: Record<Expense, string> = {
  time: 'The question took too long: shorten the date range or add filters',
  memory: 'The question needs too much memory: shorten the date range or break down by something with fewer values',
  rows: 'The question reads or returns too many rows: shorten the date range, add filters or lower the limit',
  complexity:
    'The question is too complex: use fewer filters, values, alternatives, steps or breakdowns, or shorter texts in them',
};

class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The introduction of a message of the engine. A server repeats it before a message that comes from another one. */
const introduction =
  /^(?:Code: \d+\. DB::\w*Exception: |Received from [^ ]+ |There was an error on \[[^\]]*\]: |DB::\w*Exception: )+/;
/** The name of the code, which the engine writes after its message. */
const nameOfCode = /\((?=[A-Z0-9_]*[A-Z]{3})[A-Z0-9_]+\)/;

/** The error of an answer that is one. A proxy may answer without a code, in words of its own. */
export const answeredError = (text: string, code: unknown): Error => {
  if (typeof code !== 'string') return new Error(text);
  return new EngineError(text.replace(introduction, '').split(nameOfCode, 1)[0] ?? '', code);
};

/**
 * Read from the start of the text, where the code is: if the text quotes a value with a NUL, all that follows it is missing.
 * Errors of the C++ library, such as 1001 of its file systems, begin otherwise than those of the engine.
 */
const codeAtStart = /^(?:std::exception\. )?Code: (\d+)(?:\. DB::|, type: )/;

export const engineCode = (error: unknown): string | null => {
  if (error instanceof EngineError) return error.code;
  return error instanceof Error ? (codeAtStart.exec(error.message)?.[1] ?? null) : null;
};

const expenses: Record<string, Expense> = {
  158: 'rows',
  159: 'time',
  160: 'time',
  241: 'memory',
  // The syntax tree is too deep or too big, recurses, or makes the parser backtrack too often.
  167: 'complexity',
  168: 'complexity',
  306: 'complexity',
  307: 'rows',
  396: 'rows',
  718: 'complexity',
};

/** These codes are also used for other faults; only the text distinguishes them. */
const complexityTexts: Record<string, RegExp> = {
  36: /Query tree is too big/,
  62: /Max query size exceeded/i,
};

const expenseOf = (error: unknown): Expense | undefined => {
  const code = engineCode(error);
  if (code === null) return undefined;
  return complexityTexts[code]?.test((error as Error).message) ? 'complexity' : expenses[code];
};

const damaged = 'its files are damaged, run `projection rebuild`';

const diskIsFull = 'its disk is full, free space on that of DATA_DIR, or of the server of CLICKHOUSE_URL';

const outages: Record<string, string> = {
  40: damaged,
  159: 'it took too long',
  164: 'the user of CLICKHOUSE_URL is read-only, give it a profile without readonly',
  202: 'too many simultaneous queries',
  203: 'no free connection',
  209: 'socket timeout',
  210: 'network error',
  225: 'no connection to Keeper',
  236: 'the engine is shutting down',
  242: 'the table is read-only, Keeper is not reachable',
  243: diskIsFull,
  246: damaged,
  252: 'too many parts, merges are behind',
  271: damaged,
  279: 'no replica reachable',
  285: 'too few replicas are there for a quorum',
  286: 'another insert waits for its quorum',
  289: 'a replica does not have the newest rows yet',
  319: 'an insert may not have reached its quorum',
  394: 'the query was cancelled by the server',
  425: 'system error',
  432: damaged,
  439: 'cannot schedule a task',
  497: 'the user of CLICKHOUSE_URL lacks a right, grant it all of its database',
  774: 'a table is read-only, end that with ALTER TABLE … RESET SETTING table_readonly',
  999: 'Keeper error',
};

/** True for faults of milliseconds: another insert waits for its quorum, or a replica lacks the newest rows. */
export const passesSoon = (error: unknown): boolean =>
  error instanceof ClickHouseUnavailable && ['286', '289'].includes(engineCode(error.cause) ?? '');

/** The message of the engine up to the first literal of the statement, in which a caller could write anything. */
const ownWords = (error: unknown): string => (error as Error).message.split("'", 1)[0] ?? '';

/** True if another shard went away while the statement ran. A text that is no number has the same code. */
const isCutOff = (error: unknown): boolean =>
  engineCode(error) === '32' && ownWords(error).includes('while receiving packet from');

/** True if a table of a shard is missing for a moment: a rebuild on a cluster renames the shards' tables one after the other. */
const isExchanged = (error: unknown): boolean =>
  engineCode(error) === '60' && (error as Error).message.includes('_local');

/** Programming errors, which a restart of the store would not cure. */
const isDefect = (error: unknown): boolean =>
  [TypeError, RangeError, ReferenceError, SyntaxError].some((defect) => error instanceof defect);

/** True if tables, or the database, were dropped while the process runs: a question names only tables that should exist. */
const isDropped = (error: unknown): boolean => ['60', '81'].includes(engineCode(error) ?? '') && !isExchanged(error);

/** Translates the error of a failed question for its caller. */
export const questionError = (error: unknown): unknown => {
  const expense = expenseOf(error);
  if (expense && !isServerOutOfMemory(error)) return new QueryTooExpensive(expense, { cause: error });
  if (engineCode(error) === '427') return new InvalidRegex(regexFault(error), { cause: error });
  return isDropped(error)
    ? new ClickHouseUnavailable('ClickHouse lacks a table or the database', { cause: error })
    : writeError(error);
};

const regexFault = (error: unknown): string =>
  /, error: ([^:.]+)/.exec((error as Error).message)?.[1]?.trim() ?? 'RE2 refuses it';

/** Translates the error of a failed write. A caller cannot change a write, so an error that is no outage stays unchanged. */
export const writeError = (error: unknown): unknown => {
  const translated = [ClickHouseUnavailable, ClickHouseMisconfigured, QueryTooExpensive];
  if (translated.some((known) => error instanceof known) || isDefect(error)) return error;
  const code = engineCode(error);
  if (code === null) return new ClickHouseAway('ClickHouse does not answer', { cause: error });
  const outage = outageOf(error, code);
  return outage ? new ClickHouseUnavailable(`ClickHouse cannot do this now: ${outage}`, { cause: error }) : error;
};

/** Codes for files that could not be opened, read, written, closed or changed. Such errors contain no text of callers. */
const fileCodes = new Set(['74', '75', '76', '77', '87', '88', '1001']);

/** The error of the operating system, which is only in the text. */
const fileFaults: readonly (readonly [RegExp, string])[] = [
  [
    /errno: 30\b|Read-only file system/,
    'its file system is read-only, repair that of DATA_DIR, or of the server of CLICKHOUSE_URL, and start again',
  ],
  [/errno: 28\b|No space left on device/, diskIsFull],
  [/errno: 5\b|Input\/output error/, 'its disk fails, check that of DATA_DIR, or of the server of CLICKHOUSE_URL'],
];

const fileFaultOf = (error: unknown, code: string): string | undefined =>
  fileCodes.has(code) ? fileFaults.find(([text]) => text.test((error as Error).message))?.[1] : undefined;

const outageOf = (error: unknown, code: string): string | undefined => {
  if (isServerOutOfMemory(error)) return 'the server is out of memory';
  if (isExchanged(error)) return 'a table of a shard is not there';
  return isCutOff(error) ? 'a shard went away' : (fileFaultOf(error, code) ?? outages[code]);
};

/**
 * Code 241 is used for the limit of one query and for the limit of the whole server; only the text distinguishes them.
 */
const isServerOutOfMemory = (error: unknown): boolean =>
  engineCode(error) === '241' && /\(total\)|total memory limit/i.test(ownWords(error));
