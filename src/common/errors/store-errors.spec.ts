import { describe, expect, it } from '@jest/globals';
import { isPostgresUnavailable, postgresAdvice, problemOfPostgresError } from './store-errors.js';

const failure = (code: string, severity: string, message: string): Error =>
  Object.assign(new Error(message), { code, severity });

const readOnlyFile = 'could not write to log file "000000010000000000000001": Read-only file system';

describe('a fault of the server', () => {
  it.each([
    ['a file system that turned read-only', failure('42501', 'ERROR', readOnlyFile)],
    ['a disk that fails', failure('58030', 'ERROR', 'could not fsync file "base/5/1259": Input/output error')],
    ['a full disk', failure('53100', 'ERROR', 'could not extend file "base/5/1259": No space left on device')],
    ['the end of the server', failure('XX000', 'PANIC', 'WAL contains references to invalid pages')],
    ['the end of the connection', failure('XX000', 'FATAL', 'terminating connection')],
  ])('is a 503, after which it is not known whether a COMMIT was done: %s', (_, error) => {
    expect([problemOfPostgresError(error)?.status, isPostgresUnavailable(error)]).toEqual([503, true]);
  });

  it.each([
    [failure('42501', 'PANIC', readOnlyFile), /^the file system of PostgreSQL is read-only: stop .* repair it/],
    [failure('58030', 'PANIC', 'could not fsync file'), /^the disk of PostgreSQL fails: check that of DATA_DIR/],
  ])('tells the operator what to do', (error, advice) => {
    expect(postgresAdvice(error)).toMatch(advice);
  });
});

describe('a right that the service lacks', () => {
  it('is no fault of the files', () => {
    const error = failure('42501', 'ERROR', 'permission denied for table events');
    expect([problemOfPostgresError(error), isPostgresUnavailable(error)]).toEqual([null, false]);
  });
});
