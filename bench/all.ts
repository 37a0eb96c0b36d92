import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { isKept } from './bench.js';
import { benches } from './benches.js';
import { history, type NamedFigure } from './history.js';

interface Run {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** About ten minutes: what every release must not lose. */
const quick: readonly Run[] = [
  { name: 'start' },
  { name: 'idle', args: ['60'] },
  { name: 'processor' },
  { name: 'ingest' },
  { name: 'ingest-single' },
  { name: 'freshness' },
  { name: 'bytes', env: { BENCH_EVENTS: '60000' } },
  { name: 'memory' },
  { name: 'questions', env: { BENCH_EVENTS: '1000000' } },
];

/** Runs benches one after the other, each in a process of its own, and prints their figures beside those of the last release. */
export const all = async ({ isQuick, keeps }: { isQuick: boolean; keeps: boolean }): Promise<void> => {
  const kept = await history.last();
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const machine = `${cpus().length} processors, ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}`;
  console.log(`# ${version} on ${new Date().toISOString().slice(0, 10)}: ${machine}\n`);
  console.log(`| bench | figure | value | ${kept.version ?? 'last release'} | ÷ | bound |`);
  console.log('| --- | --- | --: | --: | --: | --- |');
  const figures: NamedFigure[] = [];
  for (const run of isQuick ? quick : benches) {
    for (const figure of await figuresOf(run)) {
      figures.push(figure);
      console.log(row(figure, kept.valueOf(figure.bench, figure)));
    }
  }
  if (keeps) await history.keep(version, figures);
};

const figuresOf = async ({ name, args = [], env = {} }: Run): Promise<readonly NamedFigure[]> => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', name, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = (await text(child.stdout)).split('\n').filter((line) => line.startsWith('{"bench"'));
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`the bench ${name} ended with ${code}`);
  return lines.map((line) => JSON.parse(line) as NamedFigure);
};

const row = (figure: NamedFigure, before: number | undefined): string => {
  const { atMost, atLeast } = figure;
  const bound = atMost === undefined ? (atLeast === undefined ? '' : `≥ ${atLeast}`) : `≤ ${atMost}`;
  const verdict = isKept(figure) ? bound : `**${bound}**`;
  const ratio = before ? (figure.value / before).toFixed(2) : '';
  const cells = [figure.bench, figure.figure, `${figure.value} ${figure.unit}`, before ?? '', ratio, verdict];
  return `| ${cells.join(' | ')} |`;
};
