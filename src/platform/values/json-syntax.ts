import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
// eslint-disable-next-line no-control-regex -- what JSON forbids inside of a text
const plainText = /[^"\\\x00-\x1f]{0,65536}/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Checking this many tokens, or this many characters, takes a few milliseconds; then other work may run. */
const tokensAtOnce = 20_000;
const charactersAtOnce = 512 * 1024;
/** A longer text is read in parts, each of which counts as a token. */
const textAtOnce = 65_536;

/**
 * Checks whether bytes are one valid JSON value. It is used for input that exceeds the limits for JSON.parse: an event
 * that is rejected for its size must still be valid JSON, because otherwise nothing around it can be relied upon.
 */
export const isJson = async (bytes: Buffer): Promise<boolean> => {
  const syntax = new JsonSyntax(bytes.toString('latin1'));
  await readAll(syntax);
  return syntax.isValid;
};

/** Names the position where text stops being JSON, and what is expected there; null if it is valid. */
export const jsonFault = async (text: string): Promise<string | null> => {
  const syntax = new JsonSyntax(text);
  await readAll(syntax);
  return syntax.isValid ? null : syntax.fault();
};

const readAll = async (syntax: JsonSyntax): Promise<void> => {
  let [tokens, since] = [0, 0];
  while (syntax.step()) {
    tokens += 1;
    if (tokens < tokensAtOnce && syntax.position - since < charactersAtOnce) continue;
    await yieldToEventLoop();
    [tokens, since] = [0, syntax.position];
  }
};

/** Like `jsonFault`, but synchronous, and only for short text. Returns null for a longer text. */
export const shortJsonFault = (text: string): string | null => {
  if (text.length > tokensAtOnce) return null;
  const syntax = new JsonSyntax(text);
  while (syntax.step());
  return syntax.isValid ? null : syntax.fault();
};

type Expected = 'value' | 'firstValue' | 'key' | 'firstKey' | 'commaOrEnd';

class JsonSyntax {
  isValid = false;
  /** The fault inside of the last token; null if the fault is that another token was expected. */
  private within: string | null = null;
  private at = 0;
  private next: Expected = 'value';
  /** Says if a long text that was read only in part is a key or a value; null outside of such a text. */
  private unfinished: 'key' | 'value' | null = null;
  /** The closing brackets that are still expected, the innermost last. */
  private readonly due: string[] = [];

  constructor(private readonly text: string) {}

  get position(): number {
    return this.at;
  }

  /**
   * Reads one token, a key together with its colon, or a part of a long text. Returns false at the end, whether the text is
   * valid or not.
   */
  step(): boolean {
    if (this.unfinished !== null) return this.restOfText(this.unfinished);
    this.skip(space);
    const char = this.text[this.at];
    if (this.next === 'commaOrEnd') return this.commaOrEnd(char);
    if (this.next === 'firstKey' || this.next === 'key') {
      if (char === '}' && this.next === 'firstKey') return this.end();
      return this.key();
    }
    if (char === ']' && this.next === 'firstValue') return this.end();
    return this.value(char);
  }

  fault(): string {
    const lines = this.text.slice(0, this.at).split('\n');
    const position = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    if (this.within !== null) return `${position}: ${this.within}`;
    const where = this.at >= this.text.length ? `the text ends at ${position}, where` : `at ${position}`;
    return `${where} ${this.expected()} is expected`;
  }

  private expected(): string {
    const due = this.due.at(-1);
    switch (this.next) {
      case 'commaOrEnd':
        return due === undefined ? 'the end of the text' : `a comma or ${due}`;
      case 'firstKey':
      case 'key':
        return 'a key in double quotes';
      default:
        return 'a value (an object, a list, text in double quotes, a number, true, false or null)';
    }
  }

  private commaOrEnd(char: string | undefined): boolean {
    const due = this.due.at(-1);
    if (due === undefined) {
      this.isValid = char === undefined;
      return false;
    }
    if (char === due) return this.end();
    if (char !== ',') return false;
    this.at += 1;
    this.next = due === '}' ? 'key' : 'value';
    return true;
  }

  private end(): boolean {
    this.at += 1;
    this.due.pop();
    this.next = 'commaOrEnd';
    return true;
  }

  private key(): boolean {
    if (this.text[this.at] !== '"') return false;
    this.at += 1;
    return this.restOfText('key');
  }

  private colon(): boolean {
    this.skip(space);
    if (this.text[this.at] !== ':') {
      this.within = 'a colon is expected after a key';
      return false;
    }
    this.at += 1;
    this.next = 'value';
    return true;
  }

  private value(char: string | undefined): boolean {
    if (char === '{' || char === '[') {
      this.at += 1;
      this.due.push(char === '{' ? '}' : ']');
      this.next = char === '{' ? 'firstKey' : 'firstValue';
      return true;
    }
    if (char === '"') {
      this.at += 1;
      return this.restOfText('value');
    }
    if (!(this.skip(number) || this.skip(word))) return false;
    this.next = 'commaOrEnd';
    return true;
  }

  private restOfText(of: 'key' | 'value'): boolean {
    const stop = this.at + textAtOnce;
    do this.skip(plainText);
    while (this.at < stop && this.skip(escape));
    this.unfinished = this.at < stop ? null : of;
    if (this.unfinished !== null) return true;
    if (this.text[this.at] !== '"') {
      this.within = 'text must end with a double quote, and a line break or a backslash in it must be escaped';
      return false;
    }
    this.at += 1;
    if (of === 'key') return this.colon();
    this.next = 'commaOrEnd';
    return true;
  }

  /** Returns true when something was skipped. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    const from = this.at;
    this.at = pattern.lastIndex;
    return this.at > from;
  }
}
