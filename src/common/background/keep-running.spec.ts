import { describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../metrics/metrics.js';
import { keepRunning } from './keep-running.js';

describe('keepRunning', () => {
  it('starts a loop again that fails or returns early, reports both, and ends when the process stops', async () => {
    const error = jest.fn();
    const runs: string[] = [];
    await keepRunning({
      name: 'shipping',
      logger: { error },
      run: () => {
        runs.push('run');
        return runs.length === 1 ? Promise.reject(new Error('broken')) : Promise.resolve();
      },
      isStopping: () => runs.length === 3,
    });
    expect(runs).toHaveLength(3);
    expect(error.mock.calls).toEqual([
      [{ loop: 'shipping', err: new Error('broken') }, 'a background loop failed and is started again'],
      [{ loop: 'shipping' }, 'a background loop ended early and is started again'],
    ]);
    expect(await new Metrics().registry.metrics()).toContain(
      'kohort_unexpected_errors_total{kind="background_loop"} 2',
    );
  });
});
