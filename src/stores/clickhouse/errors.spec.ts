import { describe, expect, it } from '@jest/globals';
import { ClickHouseUnavailable, questionError } from './errors.js';

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

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
