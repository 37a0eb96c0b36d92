import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ParserRun } from './jazzer.js';

const run = promisify(execFile);

describe('npm run fuzz:parsers', () => {
  it('changes inputs by what code they reach, and counts it', async () => {
    const { stdout } = await run('npm', [
      'run',
      '--silent',
      'fuzz:parsers',
      '--',
      '--seconds',
      '5',
      '--only',
      'formula',
    ]);
    const found = JSON.parse(stdout) as ParserRun;
    expect(found.crashes).toEqual([]);
    expect(found.executions).toBeGreaterThan(1_000);
    // Without instrumentation all inputs would reach the same place.
    expect(found.coverage.end).toBeGreaterThan(40);
  });

  it('names the parsers there are', async () => {
    const refused = run('npm', ['run', '--silent', 'fuzz:parsers', '--', '--only', 'nothing']);
    await expect(refused).rejects.toThrow(/--only must be one of capture, unwrap, .*, not nothing/);
  });
});
