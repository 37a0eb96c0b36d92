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

const current = async (page: string): Promise<string> => {
  const [before = '', after = ''] = [page.split(begin)[0], page.split(end)[1]];
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code } = await format('docs/commands.md', `${before}${begin}\n\n${table}\n\n${end}${after}`, options);
  return code;
};

describe('the table of commands in docs/commands.md', () => {
  it('is current: npm run commands writes it', async () => {
    const page = readFileSync('docs/commands.md', 'utf8');
    expect(page).toContain(begin);
    expect(page).toContain(end);
    const expected = await current(page);
    if (process.env.UPDATE_COMMANDS === '1') writeFileSync('docs/commands.md', expected);
    else expect(page).toBe(expected);
  });
});
