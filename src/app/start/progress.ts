import { type WriteStream } from 'node:tty';

const width = 30;
const redrawMs = 100;

export interface Progress {
  readonly show: (done: number) => void;
  readonly end: () => void;
}

export const noProgress: Progress = { show: () => undefined, end: () => undefined };

/** Draws a bar on a terminal; any other stream gets one line at the end. */
export const progressOf = (
  what: string,
  total: number,
  { done: verb = 'written' }: { readonly done?: string } = {},
  stream: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean } = process.stderr,
): Progress => {
  const started = Date.now();
  let [done, drawn] = [0, 0];
  const speed = (): string => `${rounded(done / Math.max(0.001, (Date.now() - started) / 1000))} ${what}/s`;
  const draw = (): void => {
    const filled = Math.floor((width * done) / Math.max(1, total));
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    // The escape sequence erases the rest of a longer line.
    stream.write(`\r${bar} ${Math.floor((100 * done) / Math.max(1, total))} %  ${speed()}\u001b[K`);
    drawn = Date.now();
  };
  return {
    show: (now) => {
      done = now;
      if (stream.isTTY && Date.now() - drawn >= redrawMs) draw();
    },
    end: () => {
      if (stream.isTTY) draw();
      stream.write(stream.isTTY ? '\n' : `${rounded(done)} of ${rounded(total)} ${what} ${verb}, ${speed()}\n`);
    },
  };
};

const rounded = (value: number): string => Math.round(value).toLocaleString('en');
