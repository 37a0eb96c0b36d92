import { type LoggerService } from '@nestjs/common';
import { type Logger } from './logger.js';

/** Writes Nest's own lines as JSON like ours. Its start-up messages have the level debug. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (message: unknown, context?: unknown) => logger.debug({ context }, String(message)),
  debug: (message: unknown, context?: unknown) => logger.debug({ context }, String(message)),
  verbose: (message: unknown, context?: unknown) => logger.trace({ context }, String(message)),
  warn: (message: unknown, context?: unknown) => logger.warn({ context }, String(message)),
  error: (message: unknown, stack?: unknown, context?: unknown) => logger.error({ context, stack }, String(message)),
  fatal: (message: unknown, context?: unknown) => logger.fatal({ context }, String(message)),
});
