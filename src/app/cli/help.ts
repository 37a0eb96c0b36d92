import { nearestName } from '../../platform/errors/nearest-name.js';
import { UsageError, type CommandWords } from './command.js';

const call = 'npm run cli --';

/** The help of all commands, or of those of one group such as `key`. */
export const listOf = (commands: readonly CommandWords[]): string =>
  [
    `Usage: ${call} <command> [--json]`,
    '',
    ...commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`),
    '',
    `${call} <command> --help   explains one command`,
    '',
  ].join('\n');

export const helpOf = ({ usage, summary, options }: CommandWords): string => {
  const lines = Object.entries(options).map(
    ([name, { value, about }]) => [value === null ? `--${name}` : `--${name} ${value}`, about] as const,
  );
  const all = [...lines, ['--json', 'print JSON instead of a table'], ['--help', 'print this']] as const;
  const width = Math.max(...all.map(([left]) => left.length));
  return [
    `Usage: ${call} ${usage}`,
    '',
    `  ${summary}`,
    '',
    ...all.map(([left, about]) => `  ${left.padEnd(width)}   ${about}`),
    '',
  ].join('\n');
};

export const usageLine = ({ usage }: CommandWords): string => `Usage: ${call} ${usage}`;

/** The commands of the group that the first typed word names: `key create`, `key list` and `key revoke` for `key`. */
export const groupOf = (commands: readonly CommandWords[], words: readonly string[]): readonly CommandWords[] =>
  commands.filter(({ name }) => name.startsWith(`${words[0]} `));

export const unknownCommand = (commands: readonly CommandWords[], words: readonly string[]): UsageError => {
  const names = commands.map(({ name }) => name);
  const nearest = nearestOf(words, names);
  const hint = nearest === null ? `${call} --help lists the commands` : `did you mean ${nearest}?`;
  // No command has more than two words: what follows them is its arguments.
  return new UsageError(`unknown command: ${words.slice(0, 2).join(' ')}\n${hint}`);
};

/** The first two words may be the name of a command, or only the first one may be, followed by arguments. */
const nearestOf = (words: readonly string[], names: readonly string[]): string | null => {
  const groups = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  return nearestName(words.slice(0, 2).join(' '), names) ?? nearestName(words[0] ?? '', [...names, ...groups]);
};
