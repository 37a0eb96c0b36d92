import { invalidInput } from '../../platform/errors/problem.js';

/** A formula over the numbers of the series A, B, … at one point. */
export interface Formula {
  readonly text: string;
  /** The indexes of the series in the formula. */
  readonly uses: readonly number[];
  readonly at: (numbers: readonly number[]) => number;
}

type Term = Formula['at'];

export const maxFormulaLength = 400;
const maxDepth = 50;
const token = /\s*(?:(\d+(?:\.\d*)?|\.\d+)|([A-Za-z])(?![A-Za-z0-9])|([-+*/()]))/y;

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // A division by zero is 0, like an average over no persons.
  '/': (a, b) => (b === 0 ? 0 : a / b),
};

/** Parses a formula such as `(A + B) / 2`: letters for the series by index, numbers, the four operations and parentheses. */
export const parseFormula = (text: string, seriesCount: number): Formula => {
  if (text.length > maxFormulaLength)
    throw invalidInput(`formula must have at most ${maxFormulaLength} characters`, 'formula');
  const parser = new FormulaParser(text, seriesCount);
  const term = parser.whole();
  return { text, uses: [...parser.uses].sort((a, b) => a - b), at: (numbers) => rounded(term(numbers)) };
};

/** Rounds to two decimals. A result that is not finite is 0. */
const rounded = (value: number): number => {
  if (!Number.isFinite(value)) return 0;
  const cents = Math.round(value * 100);
  return Number.isFinite(cents) ? cents / 100 + 0 : value;
};

const isOneOf = (known: string, sign: string): boolean => sign !== '' && known.includes(sign);

class FormulaParser {
  readonly uses = new Set<number>();
  private position = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly seriesCount: number,
  ) {}

  whole(): Term {
    const term = this.sum();
    if (this.next() !== null) throw this.refuse('an operator');
    return term;
  }

  private sum(): Term {
    return this.chain('+-', () => this.chain('*/', () => this.signed()));
  }

  private chain(known: string, operand: () => Term): Term {
    let left = operand();
    for (let sign = this.next(); sign !== null && isOneOf(known, sign.text); sign = this.next()) {
      this.position = sign.end;
      const [a, b, apply] = [left, operand(), operators[sign.text]];
      if (apply) left = (numbers) => apply(a(numbers), b(numbers));
    }
    return left;
  }

  private signed(): Term {
    const piece = this.next();
    if (piece?.text !== '-' && piece?.text !== '+') return this.operand();
    this.position = piece.end;
    const term = this.nested(() => this.signed());
    return piece.text === '-' ? (numbers) => -term(numbers) : term;
  }

  private operand(): Term {
    const piece = this.next();
    if (piece?.number !== undefined) {
      this.position = piece.end;
      const value = Number(piece.number);
      return () => value;
    }
    if (piece?.letter !== undefined) return this.series(piece.letter, piece.end);
    if (piece?.text !== '(') throw this.refuse('a letter, a number or (');
    this.position = piece.end;
    const inner = this.nested(() => this.sum());
    const closing = this.next();
    if (closing?.text !== ')') throw this.refuse(')');
    this.position = closing.end;
    return inner;
  }

  private series(letter: string, end: number): Term {
    const at = letter.toUpperCase().charCodeAt(0) - 65;
    if (at >= this.seriesCount) {
      throw invalidInput(
        `formula names the series ${letter.toUpperCase()}, but there are only ${this.seriesCount}: the first is A`,
        'formula',
      );
    }
    this.position = end;
    this.uses.add(at);
    return (numbers) => numbers[at] ?? 0;
  }

  private nested(read: () => Term): Term {
    this.depth += 1;
    if (this.depth > maxDepth) throw invalidInput(`formula must be nested at most ${maxDepth} deep`, 'formula');
    const term = read();
    this.depth -= 1;
    return term;
  }

  /** The next token; null at the end. An empty `text` stands for an invalid token. */
  private next(): { text: string; number?: string; letter?: string; end: number } | null {
    if (this.text.slice(this.position).trim() === '') return null;
    token.lastIndex = this.position;
    const match = token.exec(this.text);
    if (!match) return { text: '', end: this.position };
    const [, number, letter, text = ''] = match;
    return { text, number, letter, end: token.lastIndex };
  }

  private refuse(expected: string) {
    const at = this.text.length - this.text.slice(this.position).trimStart().length;
    return invalidInput(`formula must have ${expected} at position ${at + 1}, such as in (A + B) / 2`, 'formula');
  }
}
