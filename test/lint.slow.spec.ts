import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Report {
  readonly messages: readonly { readonly ruleId: string; readonly line: number }[];
}

/** Lints the text with the rules of this repository, as the only file of a program of its own. */
const lint = async (text: string): Promise<Report['messages']> => {
  const dir = await mkdtemp(join(tmpdir(), 'kohort-lint-'));
  const parserOptions = { project: './tsconfig.json', tsconfigRootDir: dir };
  const rules = JSON.stringify(pathToFileURL(resolve('eslint.config.mjs')).href);
  await writeFile(
    join(dir, 'eslint.config.mjs'),
    `import rules from ${rules};
     export default [...rules, { languageOptions: { parserOptions: ${JSON.stringify(parserOptions)} } }];`,
  );
  await writeFile(join(dir, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"target":"ES2023"},"files":["a.ts"]}');
  await writeFile(join(dir, 'a.ts'), text);
  const eslint = spawn(resolve('node_modules/.bin/eslint'), ['--format', 'json', 'a.ts'], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  eslint.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(eslint, 'close');
  await rm(dir, { recursive: true });
  const [report] = JSON.parse(output) as [Report];
  return report.messages;
};

const functions = `
  const read = (text: string): string => { if (text === '') throw new Error('empty'); return text; };
  const ask = async (): Promise<number> => { await Promise.reject(new Error('down')); return 1; };
  const plain = (): Promise<number> => { read(''); return ask(); };
  export const send = async (answer: Promise<number>): Promise<number> => { read(''); return answer; };
  export const sendLater = async (answer: () => Promise<number>): Promise<number> => { read(''); return answer(); };
`;

describe('the linter', () => {
  it('refuses a promise that is made before something that can throw, and one that is not handled', async () => {
    const found = await lint(`${functions}
      export const argument = () => send(ask());
      export const variable = async () => {
        const asked = ask();
        read('');
        return asked;
      };
      export const element = () => Promise.all([ask(), plain()]);
      export const floating = () => {
        ask();
      };
    `);
    expect(found.map(({ ruleId, line }) => [ruleId, line])).toEqual([
      ['kohort/no-unheard-promise', 8],
      ['kohort/no-unheard-promise', 10],
      ['kohort/no-unheard-promise', 14],
      ['@typescript-eslint/no-floating-promises', 16],
    ]);
  });

  it('accepts a promise that is handled at once', async () => {
    const found = await lint(`${functions}
      export const argument = sendLater(() => ask());
      export const variable = async () => {
        const asked = ask();
        const answer = await asked;
        return read(String(answer));
      };
      export const element = () => Promise.all([plain(), ask()]);
      export const race = () => Promise.race([ask(), new Promise<void>((resolve) => setTimeout(resolve, 1))]);
    `);
    expect(found).toEqual([]);
  });
});
