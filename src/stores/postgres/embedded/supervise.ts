import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../../../common/logging/logger.js';
import { type ServerProcess } from './launch.js';
import { isOfReadOnlyFiles } from './processes.js';

interface Supervision {
  readonly launch: (signal: AbortSignal) => Promise<ServerProcess>;
  /** Stops every process of the server. */
  readonly halt: () => Promise<unknown>;
  readonly logger: Logger;
}

const stableMs = 10_000;
/**
 * Short enough that the service goes on within 5 s once what made the server end is over, such as a full disk: on a busy machine an
 * attempt that is under way fails first, and the next one takes another second or two.
 */
const longestPauseMs = 1_500;

const adviceFor = (error: unknown): string =>
  isOfReadOnlyFiles(error)
    ? ': its file system is read-only. Stop the service, repair the file system of DATA_DIR and start the service'
    : '';

/** Starts the server again whenever it ends, until `stop` is called. */
export const supervise = (first: ServerProcess, { launch, halt, logger }: Supervision) => {
  const stopping = new AbortController();
  let server = first;
  let failures = 0;

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const since = Date.now();
      const how = await server.exited;
      if (stopping.signal.aborted) return;
      logger.error({ how }, 'The embedded PostgreSQL ended unexpectedly; starting it again');
      failures = Date.now() - since > stableMs ? 0 : failures;
      await startAgain();
    }
  };

  const startAgain = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await sleep(failures === 0 ? 0 : Math.min(longestPauseMs, 50 * 2 ** failures), undefined, {
          signal: stopping.signal,
        });
        failures += 1;
        await halt();
        server = await launch(stopping.signal);
        logger.info('The embedded PostgreSQL answers again');
        return;
      } catch (error) {
        if (!stopping.signal.aborted)
          logger.error({ err: error }, `The embedded PostgreSQL could not be started again${adviceFor(error)}`);
      }
    }
  };

  let stopped: Promise<void> | undefined;
  const watching = watch();
  const stop = async (): Promise<void> => {
    stopping.abort();
    server.hold();
    await halt();
    await watching;
  };
  return { stop: () => (stopped ??= stop()) };
};
