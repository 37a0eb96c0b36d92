import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Figure } from './bench.js';

const folder = 'bench/history';
const extension = '.ndjson';

export interface NamedFigure extends Figure {
  readonly bench: string;
}

/** What a figure of the last release may grow to: the rest is the machine. */
const tolerance = 1.1;
/** The bench whose figures hardly depend on the machine, and are compared for that reason. */
const compared = 'processor';

/** The figures of a release, one file each. */
class Kept {
  constructor(
    readonly version: string | null,
    private readonly figures: readonly NamedFigure[],
  ) {}

  valueOf(bench: string, { figure }: Figure): number | undefined {
    return this.figures.find((kept) => kept.bench === bench && kept.figure === figure)?.value;
  }

  /** A ratio of the processor may be at most a tenth above that of the last release. */
  boundOf(bench: string, figure: Figure): Pick<Figure, 'atMost'> {
    const value = this.valueOf(bench, figure);
    const isCompared = bench === compared && figure.unit === 'ratio' && value !== undefined;
    return isCompared ? { atMost: Number((value * tolerance).toFixed(3)) } : {};
  }
}

const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

export const history = {
  async last(): Promise<Kept> {
    const files = (await readdir(folder)).filter((file) => file.endsWith(extension)).sort(inOrder);
    const newest = files.at(-1);
    if (!newest) return new Kept(null, []);
    const lines = (await readFile(join(folder, newest), 'utf8')).trimEnd().split('\n');
    const figures = lines.map((line) => JSON.parse(line) as NamedFigure);
    return new Kept(basename(newest, extension), figures);
  },

  keep: (version: string, figures: readonly NamedFigure[]): Promise<void> =>
    writeFile(join(folder, version + extension), figures.map((figure) => `${JSON.stringify(figure)}\n`).join('')),
};
