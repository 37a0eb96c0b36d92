import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { absentFeatures } from '../src/auth/absent/absent-features.js';

const file = 'docs/guides/moving-from-posthog.md';
const [begin, end] = ['<!-- absent -->', '<!-- /absent -->'];

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const table = [
  '| Absent | Addresses | Instead |',
  '| --- | --- | --- |',
  ...absentFeatures.map(({ name, below: [first = ''], elsewhere: [other] = [], instead, ...lists }) => {
    const isEmpty = (lists.emptyPages ?? []).includes(first);
    const addresses = [`\`${first}\`${isEmpty ? ' (an empty list)' : ''}`, ...(other ? [`\`${other}\``] : [])];
    return `| ${upper(name)} | ${addresses.join(', ')} | ${upper(instead)} |`;
  }),
].join('\n');

const current = async (page: string): Promise<string> => {
  const [before = '', after = ''] = [page.split(begin)[0], page.split(end)[1]];
  const options = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  // The page has code, whose width the options alone do not tell: only the table is formatted.
  const { code } = await format(file, table, options);
  return `${before}${begin}\n\n${code}\n${end}${after}`;
};

describe('the table of what is absent in the guide about moving', () => {
  it('is current: npm run absent writes it', async () => {
    const page = readFileSync(file, 'utf8');
    expect(page).toContain(begin);
    expect(page).toContain(end);
    const expected = await current(page);
    if (process.env.UPDATE_ABSENT === '1') writeFileSync(file, expected);
    else expect(page).toBe(expected);
  });
});
