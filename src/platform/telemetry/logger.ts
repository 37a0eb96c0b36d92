import { pino, type DestinationStream, type Logger } from 'pino';
import { type Config } from '../config/config.js';

export type { Logger } from 'pino';

/** The token for Nest's injector, because pino's type is an interface. */
export const LOGGER = Symbol('LOGGER');

/** Writes JSON lines to stdout. Callers log ids, routes and times; never a body, a token or a property. */
export const createLogger = (config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger =>
  pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination(1),
  );
