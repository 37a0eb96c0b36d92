import { describe, expect, it } from '@jest/globals';
import { answeredError, ClickHouseUnavailable, engineCode, QueryTooExpensive, questionError } from './errors.js';

const failure = (code: string, message: string): Error => answeredError(message, code);

describe('an error about a file', () => {
  it.each([
    ['75', 'Cannot write to file: , errno: 30, strerror: Read-only file system.', 'its file system is read-only'],
    ['1001', 'filesystem error: in rename: Read-only file system ["/data/store"]', 'its file system is read-only'],
    ['75', 'Cannot write to file: , errno: 28, strerror: No space left on device.', 'its disk is full'],
    ['74', 'Cannot read from file: , errno: 5, strerror: Input/output error.', 'its disk fails'],
  ])('is an outage whose reason the operator can read: %s, %s', (code, message, reason) => {
    const error = questionError(failure(code, message));
    expect(error).toBeInstanceOf(ClickHouseUnavailable);
    expect((error as Error).message).toContain(reason);
  });

  it.each([
    ['76', 'Cannot open file: , errno: 2, strerror: No such file or directory.'],
    ['6', `Cannot parse string 'errno: 30' as Int64`],
  ])('is a defect otherwise: %s, %s', (code, message) => {
    const error = failure(code, message);
    expect(questionError(error)).toBe(error);
  });
});

describe('an error of a file system, as a server writes it', () => {
  it('is an outage whose reason the operator can read', () => {
    const type = 'type: std::__1::filesystem::filesystem_error';
    const text = 'e.what() = filesystem error: in create_directories: Read-only file system ["/data/store/tmp_insert"]';
    const error = new Error(`std::exception. Code: 1001, ${type}, ${text}`);
    expect(engineCode(error)).toBe('1001');
    expect((questionError(error) as Error).message).toContain('its file system is read-only');
  });
});

describe('an error of a statement', () => {
  it('whose text ends at a NUL in a value keeps its code, and is no outage', () => {
    const error = new Error("Code: 467. DB::Exception: Cannot parse boolean value here: 'abc");
    expect(engineCode(error)).toBe('467');
    expect(questionError(error)).toBe(error);
  });

  it.each([
    ['32', "Attempt to read after eof: Cannot parse 'while receiving packet from' as Int8"],
    ['32', String.raw`Attempt to read after eof: Cannot parse 'it\'s while receiving packet from' as Int8`],
  ])('is no outage because of what a literal says: %s, %s', (code, message) => {
    const error = failure(code, message);
    expect(questionError(error)).toBe(error);
  });

  it('that needs too much memory is too expensive, and the memory of the server is an outage', () => {
    const ofQuestion = failure('241', "Query memory limit exceeded: while executing 'FUNCTION repeat('(total)', 9)'");
    expect(questionError(ofQuestion)).toBeInstanceOf(QueryTooExpensive);
    const ofServer = failure('241', '(total) memory limit exceeded: would use 2.10 GiB');
    expect(questionError(ofServer)).toBeInstanceOf(ClickHouseUnavailable);
  });
});
