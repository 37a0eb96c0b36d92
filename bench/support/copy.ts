import { once } from 'node:events';
import { type Socket } from 'node:net';
import { type Client, type Connection, type Submittable } from 'pg';

/** The driver hands this to a query of ours, beside what its types tell. */
interface CopyConnection extends Connection {
  readonly stream: Socket;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `COPY … FROM STDIN` of prepared text, as fast as PostgreSQL takes it. Resolves when it is committed. */
export const copyIn = (client: Client, statement: string, chunks: readonly Buffer[]): Promise<void> =>
  new Promise((resolve, reject) => client.query(new CopyIn(statement, chunks, resolve, reject)));

/** The methods are the driver's names for the messages of PostgreSQL's protocol. */
class CopyIn implements Submittable {
  private failure: Error | null = null;

  constructor(
    private readonly statement: string,
    private readonly chunks: readonly Buffer[],
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.send(connection);
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.failure = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.resolve();
  }

  private async send(connection: CopyConnection): Promise<void> {
    for (const chunk of this.chunks) {
      if (this.failure) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
    connection.endCopyFrom();
  }
}

/** `COPY … TO STDOUT`, thrown away as it comes. Resolves to the number of rows. */
export const copyOut = (client: Client, statement: string): Promise<number> =>
  new Promise((resolve, reject) => client.query(new CopyOut(statement, resolve, reject)));

class CopyOut implements Submittable {
  private failure: Error | null = null;
  private rows = 0;

  constructor(
    private readonly statement: string,
    private readonly resolve: (rows: number) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.statement);
  }

  handleCopyData(): void {
    this.rows += 1;
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.failure = error;
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.failure) this.resolve(this.rows);
  }
}

/** One row in COPY's text format. */
export const copyLine = (values: readonly string[]): string =>
  `${values.map((value) => value.replace(/[\\\t\n\r]/g, (special) => escapes[special] ?? special)).join('\t')}\n`;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const chunkBytes = 64 * 1024;

export const inCopyChunks = (lines: readonly string[]): Buffer[] => {
  const bytes = Buffer.from(lines.join(''));
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
};
