/** A position in the text of the caller. Lines and columns count from 1; a column counts characters as a reader does. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Thrown if a question cannot be answered because of its text. The message says what was found and what would be right. */
export class QueryFault extends Error {
  override readonly name = 'QueryFault';

  constructor(
    readonly detail: string,
    readonly at: SourcePosition,
    readonly kind: 'invalid_input' | 'parse_error' | 'too_expensive' = 'invalid_input',
  ) {
    super(detail);
  }
}

export const fault = (detail: string, at: SourcePosition): QueryFault => new QueryFault(detail, at);

const longestQuoted = 60;

/** Shortens a piece of the caller's text for a message. */
export const quoted = (text: string): string =>
  text.length > longestQuoted ? `${text.slice(0, longestQuoted)}…` : text;
