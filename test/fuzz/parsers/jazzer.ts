import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetNamed } from './all-targets.js';
import { corpusOf } from './corpus.js';

const cli = 'node_modules/@jazzer.js/core/dist/cli.js';
const entry = 'dist-bench/test/fuzz/parsers/jazzed.js';
const olderLibc = './dist-bench/test/fuzz/parsers/older-libc.js';
const workFolder = 'dist-bench/parsers';

/** Our code, and the two libraries that read texts of callers in JavaScript. */
const instrumented = ['dist-bench/src/', 'node_modules/csv-parse/', 'node_modules/luxon/'];

/** Slower inputs end the process, because nothing else could be tried meanwhile. */
const hangSeconds = 20;

export interface ParserRun {
  readonly parser: string;
  readonly seconds: number;
  readonly executions: number;
  /** Places of the code that were reached: after the inputs of the repository, and at the end. */
  readonly coverage: { readonly start: number; readonly end: number };
  /** Inputs that reach more than others. */
  readonly corpus: number;
  readonly crashes: readonly { readonly input: string; readonly why: string }[];
}

const foldersOf = (name: string) => {
  const folder = join(workFolder, name);
  return { seeds: join(folder, 'seeds'), reached: join(folder, 'reached'), found: join(folder, 'found') };
};

/** The words as a dictionary of libFuzzer. */
const dictionaryOf = (words: readonly string[]): string =>
  words
    .map((word) =>
      [...Buffer.from(word, 'latin1')]
        .map((byte) =>
          byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
            ? String.fromCharCode(byte)
            : `\\x${byte.toString(16).padStart(2, '0')}`,
        )
        .join(''),
    )
    .map((word) => `"${word}"\n`)
    .join('');

const prepare = async (name: string): Promise<{ options: string[]; folders: ReturnType<typeof foldersOf> }> => {
  const folders = foldersOf(name);
  for (const folder of [folders.seeds, folders.found]) rmSync(folder, { recursive: true, force: true });
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  corpusOf(name).forEach(({ input }, at) => writeFileSync(join(folders.seeds, String(at)), input));
  const { maxBytes, words } = await targetNamed(name);
  const dictionary = join(workFolder, name, 'words');
  writeFileSync(dictionary, dictionaryOf(words));
  return {
    folders,
    options: [`-max_len=${maxBytes}`, `-dict=${dictionary}`, `-timeout=${hangSeconds}`, '-rss_limit_mb=4096'],
  };
};

/** Runs Jazzer.js once; resolves with what it has written. */
const jazzer = (name: string, found: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const includes = instrumented.flatMap((path) => ['--includes', path]);
    const child = spawn(process.execPath, ['--import', olderLibc, cli, entry, ...includes, '--', ...args], {
      env: { ...process.env, PARSER: name, FOUND: found },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => texts.push(text));
    child.once('error', reject);
    child.once('close', () => resolve(Buffer.concat(texts).toString('utf8')));
  });

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
const lastIn = (text: string, pattern: RegExp): number => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);

/** Fuzzes a parser for some seconds. A fault that ends the process is a crash, after which the run goes on. */
export const fuzzParser = async (name: string, seconds: number): Promise<ParserRun> => {
  const { options, folders } = await prepare(name);
  const end = Date.now() + seconds * 1000;
  let [executions, start, reached] = [0, 0, 0];
  for (let left = seconds; left >= 1; left = Math.floor((end - Date.now()) / 1000)) {
    const last = await jazzer(name, folders.found, [
      folders.reached,
      folders.seeds,
      ...options,
      `-max_total_time=${left}`,
      `-artifact_prefix=${folders.found}/fatal-`,
      '-print_final_stats=1',
    ]);
    const ran = lastIn(last, /^(?:#|stat::number_of_executed_units: )(\d+)/gm);
    if (ran === 0) throw new Error(`Jazzer.js did not run ${name}:\n${last.slice(-2_000)}`);
    executions += ran;
    start ||= numberIn(last, /INITED cov: (\d+)/);
    reached = Math.max(reached, lastIn(last, /cov: (\d+)/g));
    if (existsSync(folders.found) && readdirSync(folders.found).some((file) => file.startsWith('fatal-')))
      writeFileSync(join(folders.found, 'last-output'), last);
  }
  return {
    parser: name,
    seconds,
    executions,
    coverage: { start, end: reached },
    corpus: readdirSync(folders.reached).length,
    crashes: crashesIn(folders.found),
  };
};

const crashesIn = (folder: string): ParserRun['crashes'] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.input') || file.startsWith('fatal-'))
    .map((file) => {
      const why = join(folder, file.startsWith('fatal-') ? 'last-output' : file.replace('.input', '.txt'));
      return { input: join(folder, file), why: readFileSync(why, 'utf8').slice(-1_500) };
    });

/** What the runs so far have kept, because each reached what none before it had. */
export const reachedBy = (name: string): Buffer[] => {
  const { reached } = foldersOf(name);
  return existsSync(reached) ? readdirSync(reached).map((file) => readFileSync(join(reached, file))) : [];
};
