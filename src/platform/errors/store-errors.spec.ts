import { describe, expect, it } from '@jest/globals';
import { isNodeUnavailable, isPostgresUnavailable, postgresAdvice, problemOfPostgresError } from './store-errors.js';

const failure = (code: string, severity: string, message: string): Error =>
  Object.assign(new Error(message), { code, severity });

const readOnlyFile = 'could not write to log file "000000010000000000000001": Read-only file system';

describe('a fault of the server', () => {
  it.each([
    ['a file system that turned read-only', failure('42501', 'ERROR', readOnlyFile)],
    ['a disk that fails', failure('58030', 'ERROR', 'could not fsync file "base/5/1259": Input/output error')],
    ['a full disk', failure('53100', 'ERROR', 'could not extend file "base/5/1259": No space left on device')],
    ['an unknown prepared statement', failure('26000', 'ERROR', 'prepared statement "key" does not exist')],
    ['another one of that name', failure('42P05', 'ERROR', 'prepared statement "key" already exists')],
    ['the end of the server', failure('XX000', 'PANIC', 'WAL contains references to invalid pages')],
    ['the end of the connection', failure('XX000', 'FATAL', 'terminating connection')],
  ])('is a 503, after which it is not known whether a COMMIT was done: %s', (_, error) => {
    expect([problemOfPostgresError(error)?.status, isPostgresUnavailable(error)]).toEqual([503, true]);
  });

  it.each([
    [failure('42501', 'PANIC', readOnlyFile), /^the file system of PostgreSQL is read-only: stop .* repair it/],
    [
      failure('42P05', 'ERROR', 'prepared statement "key" already exists'),
      /^the pooler .* use PgBouncer 1\.21 or newer/,
    ],
    [failure('58030', 'PANIC', 'could not fsync file'), /^the disk of PostgreSQL fails: check that of DATA_DIR/],
  ])('tells the operator what to do', (error, advice) => {
    expect(postgresAdvice(error)).toMatch(advice);
  });
});

describe('a node of Citus that is away', () => {
  it.each([
    [
      'before the statement',
      '08006',
      'connection to the remote node kohort@10.0.0.2:5432 failed with the following error',
    ],
    ['as it starts', '57P03', 'the database system is starting up'],
    ['in the middle of a statement', 'XX000', 'SSL SYSCALL error: EOF detected\ninvalid socket'],
    [
      'without TLS',
      'XX000',
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    ],
    ['as rows are sent to it', '58030', 'failed to COPY to shard 102151 on 10.0.0.2:5432'],
    ['after the rows', '58030', 'failed to complete COPY on 10.0.0.2:5432'],
    ['in answer to the rows', 'XX000', 'terminating connection due to immediate shutdown command'],
    ['at the COMMIT', 'XX000', 'failure on connection marked as essential: 10.0.0.2:5432'],
  ])('is a 503: %s', (_, code, message) => {
    const error = failure(code, 'ERROR', message);
    expect([problemOfPostgresError(error)?.status, isPostgresUnavailable(error), isNodeUnavailable(error)]).toEqual([
      503,
      true,
      true,
    ]);
    expect(postgresAdvice(error)).toBeNull();
  });

  it('is not the coordinator, and no fault of the service', () => {
    expect(isNodeUnavailable(failure('57P01', 'FATAL', 'terminating connection'))).toBe(false);
    expect(isNodeUnavailable(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toBe(false);
    const fault = failure('XX000', 'ERROR', 'cache lookup failed for relation 5');
    expect([isPostgresUnavailable(fault), isNodeUnavailable(fault), problemOfPostgresError(fault)]).toEqual([
      false,
      false,
      null,
    ]);
  });
});

describe('a right that the service lacks', () => {
  it('is no fault of the files', () => {
    const error = failure('42501', 'ERROR', 'permission denied for table events');
    expect([problemOfPostgresError(error), isPostgresUnavailable(error)]).toEqual([null, false]);
  });
});
