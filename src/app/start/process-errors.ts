import { type Logger } from '../../platform/telemetry/logger.js';
import { countUnexpectedError } from '../../platform/telemetry/unexpected-errors.js';

interface Handlers {
  readonly logger: Logger;
  /** Replaces the service, whose state the exception may have left inconsistent. */
  readonly restart: () => void;
}

/**
 * The last line of defence against our own defects. A promise that was rejected and never awaited has ended the one
 * operation it belongs to, and its request has been answered or times out, so the process continues. After an uncaught
 * exception the whole state is unknown, so the service is restarted in order.
 */
export const handleProcessErrors = ({ logger, restart }: Handlers): void => {
  process.on('unhandledRejection', (reason) => {
    countUnexpectedError('unhandled_rejection');
    logger.error({ err: described(reason) }, 'a rejected promise was not handled: please report this defect');
  });
  process.on('uncaughtException', (error) => {
    countUnexpectedError('uncaught_exception');
    logger.fatal({ err: described(error) }, 'an exception was not caught: please report this defect');
    restart();
  });
};

/** Driver errors contain the values of their statement, which are the users' data. */
const described = (reason: unknown): { name: string; message: string; stack?: string } =>
  reason instanceof Error
    ? { name: reason.name, message: reason.message, stack: reason.stack }
    : { name: 'unknown', message: 'the reason is not an error' };
