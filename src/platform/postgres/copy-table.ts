import { once } from 'node:events';
import { type Duplex } from 'node:stream';
import pg from 'pg';

/** A table, with those of its columns that are copied, in their order. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The part of the driver's connection that its types do not declare. */
interface Wire {
  readonly stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Lets the reader of a COPY hold the server back. */
export interface Flow {
  pause(): void;
  resume(): void;
  /** Ends the COPY, and the connection with it. */
  fail(error: Error): void;
}

/** Receives a piece of the stream, which is valid only during the call. */
export type OnPiece = (piece: Buffer, flow: Flow) => void;

const target = ({ name, columns }: CopiedTable): string =>
  `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;

/** Gives all rows of a table to `onPiece`, as COPY's binary stream, and returns their number. */
export const copyTableOut = (client: pg.ClientBase, table: CopiedTable, onPiece: OnPiece): Promise<number> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null | undefined, result?: pg.QueryResult) =>
      error ? reject(error) : resolve(result?.rowCount ?? 0);
    client.query(new CopyOut(`COPY ${target(table)} TO STDOUT (FORMAT binary)`, onPiece, done));
  });

/** Inserts the rows of a binary stream of COPY into a table, and returns their number. */
export const copyTableIn = (
  client: pg.ClientBase,
  table: CopiedTable,
  stream: AsyncIterable<Buffer>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const copy: CopyIn = new CopyIn(
      `COPY ${target(table)} FROM STDIN (FORMAT binary)`,
      stream,
      (error: Error | null | undefined, result?: pg.QueryResult) => {
        const failure = copy.failure ?? error;
        if (failure) reject(failure);
        else resolve(result?.rowCount ?? 0);
      },
    );
    client.query(copy);
  });

type Done = (error: Error | null | undefined, result?: pg.QueryResult) => void;

/** A query that receives what COPY sends, which the query of the driver ignores. */
class CopyOut extends pg.Query {
  private isOver = false;

  constructor(
    text: string,
    private readonly onPiece: OnPiece,
    done: Done,
  ) {
    super(text, done as never);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: Wire): void {
    if (this.isOver) return;
    const fail = (error: Error): void => {
      this.isOver = true;
      stream.destroy(error);
    };
    try {
      this.onPiece(chunk, { pause: () => void stream.pause(), resume: () => void stream.resume(), fail });
    } catch (error) {
      // An error thrown here would end the process.
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** A query that sends rows to COPY, which the query of the driver refuses. */
class CopyIn extends pg.Query {
  failure: Error | null = null;
  private isOver = false;

  constructor(
    text: string,
    private readonly source: AsyncIterable<Buffer>,
    done: Done,
  ) {
    super(text, ((error: Error | null | undefined, result?: pg.QueryResult) => {
      this.isOver = true;
      done(error, result);
    }) as never);
  }

  handleCopyInResponse(wire: Wire): void {
    void this.send(wire).catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
      wire.sendCopyFail('the source of the rows has failed');
    });
  }

  private async send(wire: Wire): Promise<void> {
    for await (const piece of this.source) {
      // The server has refused a row, and ignores the rest.
      if (this.isOver) return;
      wire.sendCopyFromChunk(piece);
      if (wire.stream.writableNeedDrain) await drained(wire.stream);
    }
    wire.endCopyFrom();
  }
}

const drained = async (stream: Duplex): Promise<void> => {
  const stop = new AbortController();
  const heard = ['drain', 'close'].map((event) => once(stream, event, { signal: stop.signal }));
  await Promise.race(heard).finally(() => {
    stop.abort();
    for (const each of heard) each.catch(() => undefined);
  });
};
