import { parseArgs } from 'node:util';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { UsageError, type CommandWords, type Flags } from './command.js';

export interface Arguments {
  readonly flags: Flags;
  readonly args: readonly string[];
  readonly json: boolean;
}

const always = ['json', 'help'];

/** The words among the arguments: neither options, nor the values of options that some command knows. */
export const wordsOf = (argv: readonly string[], commands: readonly CommandWords[]): readonly string[] => {
  const takeValues = new Set(
    commands.flatMap(({ options }) =>
      Object.entries(options).flatMap(([name, { value }]) => (value === null ? [] : [`--${name}`])),
    ),
  );
  return argv.filter((word, at) => !word.startsWith('-') && !takeValues.has(argv[at - 1] ?? ''));
};

/** Reads what follows the name of a command. */
export const readArguments = (command: CommandWords, argv: readonly string[]): Arguments => {
  const names = Object.keys(command.options);
  const isSwitch = (name: string): boolean => command.options[name]?.value === null;
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      names.map((name) => [name, { type: isSwitch(name) ? ('boolean' as const) : ('string' as const) }]),
    ),
  });
  const flags: Record<string, string> = {};
  const words: string[] = [];
  let json = false;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'json') json = true;
    else if (isSwitch(token.name)) flags[token.name] = requireNoValue(token.rawName, token.value);
    else flags[token.name] = valueOf(token.rawName, token.name, token.value, names);
  }
  const args = words.slice(command.name.split(' ').length);
  const extra = args[command.arguments ?? 0];
  if (extra !== undefined) throw new UsageError(`${extra} is not expected here`);
  return { flags, args, json };
};

const requireNoValue = (written: string, value: string | undefined): string => {
  if (value !== undefined) throw new UsageError(`${written} takes no value`);
  return 'yes';
};

const valueOf = (written: string, name: string, value: string | undefined, known: readonly string[]): string => {
  if (!known.includes(name)) {
    const nearest = nearestName(name, [...known, ...always]);
    const others =
      known.length === 0 ? 'the command has no options' : `known are ${known.map((each) => `--${each}`).join(', ')}`;
    throw new UsageError(`${written} is not known: ${nearest === null ? others : `did you mean --${nearest}?`}`);
  }
  if (value === undefined || value === '' || value.startsWith('--')) throw new UsageError(`${written} needs a value`);
  return value;
};
