import { type INestApplicationContext } from '@nestjs/common';
import { type Logger } from '../../platform/telemetry/logger.js';
import { nestLogger } from '../../platform/telemetry/nest-logger.js';
import { type Config } from '../../platform/config/config.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { type Command, type CommandContext } from './command.js';
import { withDatabase } from './database.js';

const optionsOf = (logger: Logger) => ({ logger: nestLogger(logger), abortOnError: false });

/** Runs a command on a database that stays open meanwhile. Its services are made when it uses the first of them. */
export const withApplication = <T>(
  config: Config,
  logger: Logger,
  { begins = false, alone = false }: Pick<Command, 'begins' | 'alone'>,
  work: (parts: Pick<CommandContext, 'get' | 'database'>) => Promise<T>,
): Promise<T> =>
  withDatabase(config, logger, { begins, alone }, (database) => {
    const make = async (): Promise<INestApplicationContext> => {
      const { NestFactory } = await import('@nestjs/core');
      const { CliModule } = await import('./cli.module.js');
      return NestFactory.createApplicationContext(CliModule.forRoot(config, logger, database), optionsOf(logger));
    };
    let made: Promise<INestApplicationContext> | null = null;
    return work({ get: async (service) => (await (made ??= make())).get(service), database });
  });

/** Starts the whole application for the named background work, while `work` waits for it. Another process may do it instead. */
export const whileWorking = async <T>(
  { config, logger, database }: CommandContext,
  clickhouse: ClickHouse,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  const { NestFactory } = await import('@nestjs/core');
  const { AppModule } = await import('../app.module.js');
  const { Workers } = await import('../../platform/work/workers.js');
  const module = AppModule.forRoot(config, logger, { ...database, clickhouse });
  const workers = (await NestFactory.createApplicationContext(module, optionsOf(logger))).get(Workers);
  workers.startOnly(names);
  try {
    return await work();
  } finally {
    await workers.stop();
  }
};
