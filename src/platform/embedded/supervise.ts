import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from '../telemetry/logger.js';

export interface SupervisedProcess {
  /** Resolves with the reason why the process ended. */
  readonly exited: Promise<string>;
}

interface Supervision<P extends SupervisedProcess> {
  /** The name in the log, such as "The embedded PostgreSQL". */
  readonly name: string;
  readonly launch: (signal: AbortSignal) => Promise<P>;
  /** Ends the process and its child processes. */
  readonly halt: (server: P) => Promise<unknown>;
  /** Advice for the operator about a failed start; empty if the error says enough. */
  readonly adviceFor?: (error: unknown) => string;
  readonly logger: Pick<Logger, 'info'> & Partial<Pick<Logger, 'error'>>;
}

export interface Supervised<P> {
  /** The process that runs, or the last one that did. */
  readonly server: P;
  readonly isUp: boolean;
  stop(): Promise<void>;
}

const stableMs = 10_000;
/**
 * The longest pause between two starts. It is so short that the service works again within 5 s once the cause is over, such as a
 * full disk: on a busy machine, a running attempt may fail first, and the next one takes another second or two.
 */
const longestPauseMs = 1_500;

/** Starts the server again whenever it ends, until `stop` is called. */
export const supervise = <P extends SupervisedProcess>(
  first: P,
  { name, launch, halt, adviceFor = () => '', logger }: Supervision<P>,
): Supervised<P> => {
  const stopping = new AbortController();
  let server = first;
  let isUp = true;
  let failures = 0;

  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const since = Date.now();
      const how = await server.exited;
      isUp = false;
      if (stopping.signal.aborted) return;
      logger.error?.({ how }, `${name} ended unexpectedly; starting it again`);
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
        await halt(server);
        server = await launch(stopping.signal);
        isUp = true;
        logger.info(`${name} answers again`);
        return;
      } catch (error) {
        if (!stopping.signal.aborted)
          logger.error?.({ err: error }, `${name} could not be started again${adviceFor(error)}`);
      }
    }
  };

  let stopped: Promise<void> | undefined;
  const watching = watch();
  const stop = async (): Promise<void> => {
    stopping.abort();
    const running = server;
    await halt(running);
    await watching;
    // A start that was under way may have succeeded meanwhile.
    if (server !== running) await halt(server);
  };
  return {
    get server() {
      return server;
    },
    get isUp() {
      return isUp;
    },
    stop: () => (stopped ??= stop()),
  };
};
