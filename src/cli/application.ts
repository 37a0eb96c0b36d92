import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger } from '../common/logging/logger.js';
import { nestLogger } from '../common/logging/nest-logger.js';
import { type Config } from '../config/config.js';
import { CliModule } from './cli.module.js';
import { type Command } from './command.js';
import { withDatabase, type Database } from './database.js';

interface Parts {
  readonly app: INestApplicationContext;
  readonly database: Database;
}

/** The services of a command, on the database that stays open while it runs. */
export const withApplication = <T>(
  config: Config,
  logger: Logger,
  { begins = false, alone = false }: Pick<Command, 'begins' | 'alone'>,
  work: (parts: Parts) => Promise<T>,
): Promise<T> =>
  withDatabase(config, logger, { begins, alone }, async (database) => {
    const app = await NestFactory.createApplicationContext(CliModule.forRoot(config, logger, database), {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    return work({ app, database });
  });
