/** The text is not CSV; the message names the position. */
export class CsvFault extends Error {}

const maxCell = 100_000;
const maxCells = 10_000;

type State = 'begin' | 'plain' | 'quoted' | 'quote in quoted';

/**
 * Parses RFC 4180 piece by piece: CRLF, LF or CR ends a row, quotes protect any character, a doubled quote is one quote.
 */
class CsvRows {
  private state: State = 'begin';
  private cell = '';
  private row: string[] = [];
  private line = 1;
  private afterCr = false;

  *read(text: string): Generator<string[]> {
    for (const character of text) {
      const isSecondHalf = character === '\n' && this.afterCr;
      this.afterCr = character === '\r' && this.state !== 'quoted';
      if (isSecondHalf && this.state !== 'quoted') continue;
      const row = this.take(character);
      if (row) yield row;
    }
  }

  *end(): Generator<string[]> {
    if (this.state === 'quoted') throw new CsvFault(`a quote is not closed by the end of the file, line ${this.line}`);
    if (this.state !== 'begin' || this.row.length > 0) yield this.endRow();
  }

  private take(character: string): string[] | null {
    if (character === '\n' || character === '\r') {
      this.line += 1;
      if (this.state !== 'quoted') return this.endRow();
    }
    if (this.state === 'quoted') {
      if (character === '"') this.state = 'quote in quoted';
      else this.add(character);
      return null;
    }
    if (character === ',') {
      this.endCell();
      return null;
    }
    if (character === '"') {
      if (this.state === 'plain') throw new CsvFault(`a quote stands inside of a value, line ${this.line}`);
      if (this.state === 'quote in quoted') this.add(character);
      this.state = 'quoted';
      return null;
    }
    if (this.state === 'quote in quoted') throw new CsvFault(`text follows a closing quote, line ${this.line}`);
    this.state = 'plain';
    this.add(character);
    return null;
  }

  private add(character: string): void {
    this.cell += character;
    if (this.cell.length > maxCell) throw new CsvFault(`a value is too long, line ${this.line}`);
  }

  private endCell(): void {
    this.row.push(this.cell);
    this.cell = '';
    this.state = 'begin';
    if (this.row.length > maxCells) throw new CsvFault(`a row has too many values, line ${this.line}`);
  }

  private endRow(): string[] {
    this.endCell();
    const { row } = this;
    this.row = [];
    return row;
  }
}

/** Reads the rows of a CSV file in UTF-8, with or without a byte order mark, in constant memory. */
export const readCsv = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw new CsvFault('the file is not UTF-8');
    }
  };
  const rows = new CsvRows();
  for await (const chunk of bytes) yield* rows.read(decoded(chunk));
  yield* rows.read(decoded());
  yield* rows.end();
};
