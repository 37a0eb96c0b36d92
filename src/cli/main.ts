import { NestFactory } from '@nestjs/core';
import { parseArgs } from 'node:util';
import { Problem } from '../common/errors/problem.js';
import { createLogger } from '../common/logging/logger.js';
import { nestLogger } from '../common/logging/nest-logger.js';
import { ConfigError, loadConfig, processEnvironment } from '../config/config.js';
import { DataDirInUseError } from '../stores/data-dir.js';
import { CliModule } from './cli.module.js';
import { UsageError, type Command, type Flags } from './command.js';
import { bootstrap } from './commands/bootstrap.js';
import { cohortsRecalculate } from './commands/cohorts.js';
import { deletionsList, deletionsRun } from './commands/deletions.js';
import { keyCreate, keyList, keyRevoke } from './commands/keys.js';
import { migrateCommand } from './commands/migrate.js';
import { rebuildCommand, statusCommand } from './commands/projection.js';
import { projectCreate, projectList } from './commands/projects.js';
import { seed } from './commands/seed.js';
import { withDatabase } from './database.js';
import { render, type Row } from './output.js';

const commands: readonly Command[] = [
  bootstrap,
  projectCreate,
  projectList,
  keyCreate,
  keyList,
  keyRevoke,
  seed,
  migrateCommand,
  statusCommand,
  rebuildCommand,
  cohortsRecalculate,
  deletionsRun,
  deletionsList,
];

const help = (): string =>
  [
    'Usage: npm run cli -- <command> [--json]',
    '',
    ...commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`),
    '',
  ].join('\n');

const run = async (argv: readonly string[]): Promise<string> => {
  const words = argv.filter((word) => !word.startsWith('-'));
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (!command) {
    if (words.length === 0 || argv.includes('--help')) return help();
    throw new UsageError(`unknown command: ${words.join(' ')}\n\n${help()}`);
  }
  const { flags, args, json } = parse(command, argv);
  return render(await execute(command, flags, args), json);
};

const parse = (command: Command, argv: readonly string[]): { flags: Flags; args: string[]; json: boolean } => {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...command.options, json: { type: 'boolean' } },
    });
    const { json, ...flags } = values as Record<string, string | undefined> & { json?: unknown };
    return { flags, args: positionals.slice(command.name.split(' ').length), json: json === true };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${command.usage}`);
  }
};

const execute = (command: Command, flags: Flags, args: readonly string[]): Promise<Row | readonly Row[]> => {
  const config = loadConfig(processEnvironment());
  const logger = createLogger({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel }, process.stderr);
  return withDatabase(config, logger, async (database) => {
    const app = await NestFactory.createApplicationContext(CliModule.forRoot(config, logger, database), {
      logger: nestLogger(logger),
      abortOnError: false,
    });
    return command.run({ app, config, logger, database, flags, args });
  });
};

const isExpected = (error: unknown): error is Error =>
  [ConfigError, DataDirInUseError, UsageError, Problem].some((kind) => error instanceof kind);

run(process.argv.slice(2)).then(
  (output) => process.stdout.write(output, () => process.exit(0)),
  (error: unknown) => {
    const text = isExpected(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`${text}\n`, () => process.exit(1));
  },
);
