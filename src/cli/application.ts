import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Workers } from '../common/background/workers.js';
import { type Logger } from '../common/logging/logger.js';
import { nestLogger } from '../common/logging/nest-logger.js';
import { type Config } from '../config/config.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { CliModule } from './cli.module.js';
import { type Command, type CommandContext } from './command.js';
import { withDatabase, type Database } from './database.js';

interface Parts {
  readonly app: INestApplicationContext;
  readonly database: Database;
}

const optionsOf = (logger: Logger) => ({ logger: nestLogger(logger), abortOnError: false });

/** The services of a command, on the database that stays open while it runs. */
export const withApplication = <T>(
  config: Config,
  logger: Logger,
  { begins = false, alone = false }: Pick<Command, 'begins' | 'alone'>,
  work: (parts: Parts) => Promise<T>,
): Promise<T> =>
  withDatabase(config, logger, { begins, alone }, async (database) => {
    const module = CliModule.forRoot(config, logger, database);
    return work({ app: await NestFactory.createApplicationContext(module, optionsOf(logger)), database });
  });

/** The whole application, which does the named background work while `work` waits for it. Another process may do it instead. */
export const whileWorking = async <T>(
  { config, logger, database }: CommandContext,
  clickhouse: ClickHouse,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  // Loaded only now: most commands do without it.
  const { AppModule } = await import('../app.module.js');
  const module = AppModule.forRoot(config, logger, { ...database, clickhouse });
  const workers = (await NestFactory.createApplicationContext(module, optionsOf(logger))).get(Workers);
  workers.startOnly(names);
  try {
    return await work();
  } finally {
    await workers.stop();
  }
};
