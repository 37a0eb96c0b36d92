import { QueryFault, type SourcePosition } from '../fault.js';

export type TokenKind = 'word' | 'number' | 'text' | 'name' | 'symbol';

/** `text` is a literal in single quotes, `name` an identifier in double quotes or backticks. */
export interface Token extends SourcePosition {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offsets in the text of the question. */
  readonly start: number;
  readonly end: number;
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const blanks = /\s+/uy;
const number = /(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const symbols = /(?:->|::|\|\||<=|>=|<>|!=|==|<=>|[\s\S])/uy;

/** The most tokens of a question: enough for a long one with the longest lists. */
export const maxTokens = 25_000;

/** Divides a question into tokens. White space and comments are left out. */
export const sqlTokensOf = (text: string): readonly Token[] => new Lexer(text).all();

class Lexer {
  private at = 0;
  private line = 1;
  private column = 1;

  constructor(private readonly text: string) {}

  all(): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.text.length) return tokens;
      const { at: start, line, column } = this;
      const kind = this.next(tokens.at(-1));
      this.moveTo(this.at, start);
      tokens.push({ kind, text: this.text.slice(start, this.at), start, end: this.at, line, column });
      if (tokens.length > maxTokens) {
        throw new QueryFault(
          `A question may have at most ${maxTokens.toLocaleString('en')} words, numbers and signs`,
          { line, column },
          'parse_error',
        );
      }
    }
  }

  private next(before: Token | undefined): TokenKind {
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    if (character === "'") return this.quoted(character, 'text');
    if (character === '"' || character === '`') return this.quoted(character, 'name');
    if (this.skip(word)) return 'word';
    if (/\d/.test(character) || (character === '.' && /\d/.test(this.text[this.at + 1] ?? ''))) {
      return this.number(before, character);
    }
    symbols.lastIndex = this.at;
    this.at += symbols.exec(this.text)?.[0].length ?? 1;
    return 'symbol';
  }

  /** Skips the pattern if it is at the current position; returns true if it was. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    this.at += found?.[0].length ?? 0;
    return found !== null;
  }

  /** Reads a number. In `(1, 2).1.2` and `t.1`, a point and its digits are one token, which is an index into a tuple. */
  private number(before: Token | undefined, character: string): TokenKind {
    if (character === '.' && before?.end === this.at)
      this.at += /^\.\d+/.exec(this.text.slice(this.at))?.[0].length ?? 1;
    else {
      number.lastIndex = this.at;
      this.at += number.exec(this.text)?.[0].length ?? 1;
    }
    return 'number';
  }

  private quoted(quote: string, kind: TokenKind): TokenKind {
    const { line, column } = this;
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at];
      if (character === '\\' && kind === 'text') this.at += 1;
      else if (character === quote && this.text[this.at + 1] === quote) this.at += 1;
      else if (character === quote) {
        this.at += 1;
        return kind;
      }
    }
    const what = kind === 'text' ? 'A text' : 'A name';
    throw new QueryFault(`${what} that begins here does not end: ${quote} is missing`, { line, column }, 'parse_error');
  }

  private skipBlanks(): void {
    for (;;) {
      const { at } = this;
      const rest = this.text.slice(at, at + 2);
      const isBlank = this.skip(blanks);
      if (!isBlank && rest === '--') this.at = this.endOf('\n', at);
      else if (!isBlank && rest === '/*') this.skipComment(at);
      else if (!isBlank) return;
      this.moveTo(this.at, at);
    }
  }

  private skipComment(start: number): void {
    const { line, column } = this;
    let depth = 0;
    for (this.at = start; this.at < this.text.length;) {
      const pair = this.text.slice(this.at, this.at + 2);
      if (pair === '/*') depth += 1;
      if (pair === '*/') depth -= 1;
      this.at += pair === '/*' || pair === '*/' ? 2 : 1;
      if (depth === 0) return;
    }
    throw new QueryFault('A comment that begins here does not end: */ is missing', { line, column }, 'parse_error');
  }

  private endOf(mark: string, from: number): number {
    const end = this.text.indexOf(mark, from);
    return end < 0 ? this.text.length : end;
  }

  /** Counts lines and columns from `start` to `end`. */
  private moveTo(end: number, start: number): void {
    for (let at = start; at < end; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code === 0x0a) {
        this.line += 1;
        this.column = 1;
      } else if (code < 0xdc00 || code > 0xdfff) this.column += 1;
    }
  }
}
