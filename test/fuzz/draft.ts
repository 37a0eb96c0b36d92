import { type Operation } from './operations.js';

/** A request while it is made: parts that faults may change before it becomes bytes. */
export interface Draft {
  readonly operation: Operation;
  method: string;
  /** As it stands in the request line, without the query. */
  path: string;
  /** Names and values as they stand in the request line, encoded already. */
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: Body;
  readonly faults: string[];
  /** Statuses that any route may answer to such a fault, though its operation does not list them. */
  readonly anyRouteMayAnswer: number[];
  /** The request is cut off before its end: no answer is an answer. */
  abandoned: boolean;
}

/** `json` may still be changed as a value; `bytes` goes out as it is. */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; value: unknown }
  | { readonly kind: 'bytes'; bytes: Buffer };

/** A request as it is sent, and sent again. */
export interface FuzzRequest {
  readonly index: number;
  readonly operation: string;
  readonly faults: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly anyRouteMayAnswer: readonly number[];
  readonly abandoned: boolean;
  /** Written to a socket piece by piece, in place of an ordinary request. */
  readonly pieces?: readonly Piece[];
}

export interface Piece {
  readonly bytes: Buffer;
  readonly thenWaitMs: number;
}

export const finished = (draft: Draft, index: number): FuzzRequest => {
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
  const { body } = draft;
  return {
    index,
    operation: draft.operation.name,
    faults: draft.faults,
    method: draft.method,
    path: query === '' ? draft.path : `${draft.path}?${query}`,
    headers: draft.headers,
    body: body.kind === 'none' ? null : body.kind === 'bytes' ? body.bytes : Buffer.from(textOf(body.value)),
    anyRouteMayAnswer: draft.anyRouteMayAnswer,
    abandoned: draft.abandoned,
  };
};

/** A list of lines stays text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));

/** A lone surrogate has no encoding: it goes out as U+FFFD. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());
