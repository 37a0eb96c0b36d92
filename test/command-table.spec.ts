import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { allCommands } from '../src/app/cli/all-commands.js';

const [begin, end] = ['<!-- commands -->', '<!-- /commands -->'];

const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = [
  '| Command | |',
  '| --- | --- |',
  ...allCommands.map(({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`),
].join('\n');

const current = async (readme: string): Promise<string> => {
  const [before = '', after = ''] = [readme.split(begin)[0], readme.split(end)[1]];
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code } = await format('README.md', `${before}${begin}\n\n${table}\n\n${end}${after}`, options);
  return code;
};

describe('the table of commands in README.md', () => {
  it('is current: npm run commands writes it', async () => {
    const readme = readFileSync('README.md', 'utf8');
    expect(readme).toContain(begin);
    expect(readme).toContain(end);
    const expected = await current(readme);
    if (process.env.UPDATE_COMMANDS === '1') writeFileSync('README.md', expected);
    else expect(readme).toBe(expected);
  });
});
