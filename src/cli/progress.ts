import { type WriteStream } from 'node:tty';

const width = 30;
const redrawMs = 100;

export interface Progress {
  readonly show: (done: number) => void;
  readonly end: () => void;
}

/** A bar on a terminal; a line at the end for everything else. */
export const progressOf = (
  what: string,
  total: number,
  stream: Pick<WriteStream, 'write'> & { readonly isTTY?: boolean } = process.stderr,
): Progress => {
  const started = Date.now();
  let [done, drawn] = [0, 0];
  const speed = (): string => `${rounded(done / Math.max(0.001, (Date.now() - started) / 1000))} ${what}/s`;
  const draw = (): void => {
    const filled = Math.floor((width * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    // Erases what a longer line has left behind.
    stream.write(`\r${bar} ${Math.floor((100 * done) / total)} %  ${speed()}\u001b[K`);
    drawn = Date.now();
  };
  return {
    show: (now) => {
      done = now;
      if (stream.isTTY && Date.now() - drawn >= redrawMs) draw();
    },
    end: () => {
      if (stream.isTTY) draw();
      stream.write(stream.isTTY ? '\n' : `${rounded(done)} of ${rounded(total)} ${what} written, ${speed()}\n`);
    },
  };
};

const rounded = (value: number): string => Math.round(value).toLocaleString('en');
