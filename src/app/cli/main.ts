import { Problem } from '../../platform/errors/problem.js';
import { createLogger } from '../../platform/telemetry/logger.js';
import { misspeltVariables } from '../../platform/config/misspelt-variables.js';
import { serviceVersion } from '../../platform/config/version.js';
import { ConfigError } from '../../platform/config/config.js';
import { readProcessEnvironment, settingNames } from '../../platform/config/process-environment.js';
import { StorageFault } from '../../platform/objects/object-store.js';
import { DataDirInUseError } from '../../platform/embedded/data-dir.js';
import { allCommands } from './all-commands.js';
import { readArguments, wordsOf, type Arguments } from './arguments.js';
import { CommandRefused, UsageError, type Command, type StorelessCommand } from './command.js';
import { groupOf, helpOf, listOf, unknownCommand, usageLine } from './help.js';
import { render, type Row } from './output.js';

const run = async (argv: readonly string[]): Promise<string> => {
  const words = wordsOf(argv, allCommands);
  const isHelp = argv.some((word) => word === '--help' || word === '-h') || words[0] === 'help';
  if (argv.includes('--version')) return `${serviceVersion()}\n`;
  const named = words[0] === 'help' ? words.slice(1) : words;
  // The last match is the longest name: `backup` is in the list before `backup verify`.
  const command = allCommands.findLast(({ name }) => name === named.slice(0, name.split(' ').length).join(' '));
  if (command) return isHelp ? helpOf(command) : runCommand(command, argv);
  if (named.length === 0) return listOf(allCommands);
  const group = groupOf(allCommands, named);
  if (group.length > 0 && (isHelp || named.length === 1)) {
    if (isHelp) return listOf(group);
    throw new UsageError(`${named[0]} is a group of commands: name one of them\n\n${listOf(group)}`);
  }
  throw unknownCommand(allCommands, named);
};

const runCommand = async (command: Command | StorelessCommand, argv: readonly string[]): Promise<string> => {
  try {
    const given = readArguments(command, argv);
    return render(await execute(command, given), given.json, command.nullMeans);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\n${usageLine(command)}`);
    throw error;
  }
};

const execute = async (
  command: Command | StorelessCommand,
  { flags, args }: Arguments,
): Promise<Row | readonly Row[] | string> => {
  const { config, names } = readProcessEnvironment();
  const logger = createLogger({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel }, process.stderr);
  for (const fault of misspeltVariables(names, settingNames)) logger.warn(fault);
  const given = { config, flags, args };
  await command.check?.(given);
  await command.prepare?.(given);
  if ('runWithoutStores' in command) return command.runWithoutStores(given);
  // Loaded only now: the help and a mistyped command answer in a tenth of the time.
  const { withApplication } = await import('./application.js');
  return withApplication(config, logger, command, (parts) => command.run({ ...given, ...parts, logger }));
};

const isExpected = (error: unknown): error is Error =>
  [ConfigError, DataDirInUseError, UsageError, CommandRefused, StorageFault, Problem].some(
    (kind) => error instanceof kind,
  );

/** A signal must lead to `process.exit`: a process that the signal kills would not stop its embedded stores. */
const endings = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
for (const [signal, code] of Object.entries(endings)) process.once(signal, () => process.exit(code));

run(process.argv.slice(2)).then(
  // Without an argument, `exit` keeps a `process.exitCode` that the command has set.
  (output) => process.stdout.write(output, () => process.exit()),
  (error: unknown) => {
    const text = isExpected(error)
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`${text}\n`, () => process.exit(1));
  },
);
