import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../logging/logger.js';
import { countUnexpectedError } from '../metrics/unexpected-errors.js';

export interface BackgroundLoop {
  /** The name in log lines. */
  readonly name: string;
  readonly logger: Pick<Logger, 'error'>;
  /** Runs until the process stops. The loop itself handles the failures it expects. */
  readonly run: () => Promise<void>;
  readonly isStopping: () => boolean;
}

const restartMs = 1_000;

/**
 * Runs a background loop until the process stops. A loop that rejects or returns early would silently leave its work
 * undone while requests are still answered, so it is reported and started again. Never rejects.
 */
export const keepRunning = async ({ name, logger, run, isStopping }: BackgroundLoop): Promise<void> => {
  while (!isStopping()) {
    try {
      await run();
      if (isStopping()) return;
      logger.error({ loop: name }, 'a background loop ended early and is started again');
    } catch (error) {
      logger.error({ loop: name, err: error }, 'a background loop failed and is started again');
    }
    countUnexpectedError('background_loop');
    await sleep(restartMs);
  }
};
