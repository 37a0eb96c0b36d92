import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A block of a guide that is run, and the answer that the guide shows below it. */
export interface Step {
  readonly language: 'sh' | 'js' | 'html';
  readonly line: number;
  readonly code: string;
  /** JSON, or text that must be printed as it stands; null if the guide shows no answer. */
  readonly shown: { readonly language: 'json' | 'text'; readonly text: string } | null;
}

const fences = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Refuses a guide with a block that would not be run or compared. */
export const stepsOf = (markdown: string): Step[] => {
  const steps: Step[] = [];
  let isAnswered = true;
  for (const { 1: language = '', 2: code = '', index } of markdown.matchAll(fences)) {
    const line = markdown.slice(0, index).split('\n').length;
    const last = steps.at(-1);
    if (language === 'sh' || language === 'js' || language === 'html') {
      steps.push({ language, line, code, shown: null });
      isAnswered = false;
    } else if ((language === 'json' || language === 'text') && last && !isAnswered) {
      steps[steps.length - 1] = { ...last, shown: { language, text: code } };
      isAnswered = true;
    } else if (language === 'python') {
      // Only shown: the SDK of Python is not among the dependencies.
      isAnswered = true;
    } else {
      throw new Error(
        `line ${line}: a block must be sh, js, html or python, or the answer (json or text) to the block above it`,
      );
    }
  }
  return steps;
};

const token = 'phc_…';
const key = 'phx_…';
const address = 'http://localhost:3000';

/** The name of the file with the code of a step that is not a part of the shell script. */
export const fileOf = ({ line, language }: Step): string => `snippet-${line}.${language === 'js' ? 'mjs' : language}`;

/** Stops what a guide has started and left running, as a failed guide does. */
const preamble = `set -eu
trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT
`;

/** One script for the whole guide, because snippets use the variables and functions of those above them. */
const scriptOf = (steps: readonly Step[]): string =>
  steps
    .map((step) => {
      const run =
        step.language === 'sh'
          ? step.code
          : `sed -e "s|${token}|$TOKEN|g" -e "s|${key}|\${KEY:-}|g" -e "s|${address}|$URL|g" code/${fileOf(step)} > ${fileOf(step)}\n` +
            (step.language === 'js' ? `node ${fileOf(step)}\n` : '');
      return `{\n${run}\n} > printed/${step.line}\n`;
    })
    .join('');

export interface GuideRun {
  /** The fault of the shell; null if every command ended well. */
  readonly fault: string | null;
  readonly printed: (step: Step) => Promise<string>;
  readonly file: (name: string) => Promise<string>;
  remove(): Promise<void>;
}

/** Runs a guide from top to bottom in a folder that looks like the one of the repository. */
export const runGuide = async (
  steps: readonly Step[],
  bootstrap: object | null,
  env: Readonly<Record<string, string>>,
): Promise<GuideRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'kohort-guide-'));
  for (const name of ['code', 'printed']) await mkdir(join(folder, name));
  for (const name of ['bin', 'docs', 'dist', 'node_modules', 'package.json'])
    await symlink(resolve(name), join(folder, name));
  if (bootstrap) {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'bootstrap.json'), JSON.stringify(bootstrap));
  }
  for (const step of steps) if (step.language !== 'sh') await writeFile(join(folder, 'code', fileOf(step)), step.code);
  await writeFile(join(folder, 'guide.sh'), preamble + scriptOf(steps));
  const child = spawn('bash', ['guide.sh'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    fault: code === 0 ? null : `the shell ended with ${code}: ${complaint}`,
    printed: ({ line }) => readFile(join(folder, 'printed', String(line)), 'utf8').catch(() => ''),
    file: (name) => readFile(join(folder, name), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
};
