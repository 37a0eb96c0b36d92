import { describe, expect, it } from '@jest/globals';
import { allCommands } from './all-commands.js';
import { readArguments, wordsOf } from './arguments.js';
import { UsageError, type CommandWords } from './command.js';
import { groupOf, helpOf, unknownCommand } from './help.js';

const command = (name: string): CommandWords => {
  const found = allCommands.find((each) => each.name === name);
  if (!found) throw new Error(`there is no command ${name}`);
  return found;
};

describe('the help', () => {
  it.each(allCommands.map(({ name }) => [name]))('of %s has its usage, its summary and all of its options', (name) => {
    const help = helpOf(command(name));
    const { usage, summary, options } = command(name);
    for (const part of [usage, summary, ...Object.keys(options).map((option) => `--${option} `)])
      expect(help).toContain(part);
    // Every option of the usage line exists.
    for (const [, option = ''] of usage.matchAll(/--([\w-]+)/g)) expect(Object.keys(options)).toContain(option);
  });

  it('of a group lists its commands', () => {
    expect(groupOf(allCommands, ['key']).map(({ name }) => name)).toEqual(['key create', 'key list', 'key revoke']);
    expect(groupOf(allCommands, ['seed'])).toEqual([]);
  });
});

describe('an unknown command', () => {
  it.each([
    ['sed', 'did you mean seed?'],
    ['keys list', 'did you mean key list?'],
    ['users list', 'did you mean user list?'],
    ['key lsit', 'did you mean key list?'],
    ['projct', 'did you mean project?'],
    ['dance', '--help lists the commands'],
  ])('%s gets the nearest one', (words, hint) => {
    expect(unknownCommand(allCommands, words.split(' ')).message).toContain(hint);
  });

  it.each([
    ['export event x.csv --project 1', 'unknown command: export event\ndid you mean export events?'],
    ['export --project 1 event x.csv', 'unknown command: export event\ndid you mean export events?'],
    ['export event --project=1', 'unknown command: export event\ndid you mean export events?'],
  ])('is named without its arguments: %s', (line, message) => {
    const words = wordsOf(line.split(' '), allCommands);
    expect(unknownCommand(allCommands, words).message).toBe(message);
  });
});

describe('the words of a line', () => {
  it.each([
    ['project list', ['project', 'list']],
    ['--project 1 import a.ndjson', ['import', 'a.ndjson']],
    ['user invite --owner --email a@b.c', ['user', 'invite']],
    ['query --csv select', ['query', 'select']],
    // A later check refuses unknown options by their names.
    ['--colour key list', ['key', 'list']],
  ])('%s are neither options nor their values', (line, words) => {
    expect(wordsOf(line.split(' '), allCommands)).toEqual(words);
  });
});

describe('arguments', () => {
  const read = (name: string, ...more: string[]) => readArguments(command(name), [...name.split(' '), ...more]);

  it('are options with values, and words', () => {
    expect(read('seed', '--events', '5', '--json')).toEqual({ flags: { events: '5' }, args: [], json: true });
    expect(read('seed', '--events=5')).toEqual({ flags: { events: '5' }, args: [], json: false });
    expect(read('query', 'select 1', '--csv')).toEqual({ flags: { csv: 'yes' }, args: ['select 1'], json: false });
    expect(read('query', '--csv', 'select 1').args).toEqual(['select 1']);
    expect(read('key revoke', 'abc', '--children', 'keep')).toMatchObject({
      flags: { children: 'keep' },
      args: ['abc'],
    });
    expect(read('import', 'a.ndjson', '--project', '1')).toMatchObject({ flags: { project: '1' }, args: ['a.ndjson'] });
  });

  it.each([
    [['seed', '--event', '5'], '--event is not known: did you mean --events?'],
    [['seed', '--colour', '5'], '--colour is not known: known are --events, --persons, --days, --project'],
    [['seed', '--events'], '--events needs a value'],
    [['seed', '--events', '--project', '1'], '--events needs a value'],
    [['seed', '100'], '100 is not expected here'],
    [['migrate', '--now'], '--now is not known: the command has no options'],
    [['query', 'select 1', '--csv=all'], '--csv takes no value'],
    [['import', 'a', 'b'], 'b is not expected here'],
  ])('%j are refused: %s', ([name = '', ...more], message) => {
    const attempt = () => read(name, ...more);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(message);
  });
});
