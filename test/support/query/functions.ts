import { call, strict, infix, type Expr, type Value } from './expression.js';

/** Letters of the engine's lower and upper: those of ASCII only. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const raised = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

const isWhole = /^-?\d{1,15}$/;
/** A dot needs digits on one side only. */
const isNumber = /^[+-]?(\d{1,15}\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export const lower = (a: Expr): Expr => call('text', 'lower', [a], lowered);
export const upper = (a: Expr): Expr => call('text', 'upper', [a], raised);
export const reverse = (a: Expr): Expr => call('text', 'reverse', [a], (text: string) => [...text].reverse().join(''));
export const trim = (a: Expr): Expr => call('text', 'trim', [a], (text: string) => text.replace(/^ +| +$/g, ''));
export const concat = (a: Expr, b: Expr): Expr => call('text', 'concat', [a, b], (x: string, y: string) => x + y);
export const joined = (a: Expr, b: Expr): Expr => strict('text', [a, b], infix('||'), (x: string, y: string) => x + y);
export const substring = (a: Expr, from: number, length: number): Expr =>
  strict(
    'text',
    [a],
    ([text]) => `substring(${text}, ${from}, ${length})`,
    (text: string) => text.substr(from - 1, length),
  );
export const replaceAll = (a: Expr, b: Expr, c: Expr): Expr =>
  call('text', 'replaceAll', [a, b, c], (text: string, from: string, to: string) =>
    from === '' ? text : text.replaceAll(from, () => to),
  );
export const intToText = (a: Expr): Expr => call('text', 'toString', [a], (n: number) => String(n));

export const length = (a: Expr): Expr =>
  strict(
    'int',
    [a],
    ([text]) => `toInt64(length(${text}))`,
    (value: string | readonly Value[]) => value.length,
  );
export const position = (a: Expr, b: Expr): Expr =>
  strict(
    'int',
    [a, b],
    ([text, part]) => `toInt64(position(${text}, ${part}))`,
    (text: string, part: string) => text.indexOf(part) + 1,
  );
export const toInt = (a: Expr): Expr =>
  call('int', 'toInt', [a], (text: string) => (isWhole.test(text) ? Number(text) : null));
export const toFloat = (a: Expr): Expr =>
  call('float', 'toFloat', [a], (text: string) => (isNumber.test(text) ? Number(text) : null));
export const intToFloat = (a: Expr): Expr => call('float', 'toFloat', [a], (n: number) => n);
export const flagToInt = (a: Expr): Expr => call('int', 'toInt64', [a], (n: number) => n);

export const plus = (a: Expr, b: Expr): Expr => strict(a.type, [a, b], infix('+'), (x: number, y: number) => x + y);
export const minus = (a: Expr, b: Expr): Expr => strict(a.type, [a, b], infix('-'), (x: number, y: number) => x - y);
export const times = (a: Expr, k: number): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => `(${x} * ${k})`,
    (x: number) => x * k,
  );
export const negated = (a: Expr): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => `(-${x})`,
    (x: number) => -x,
  );
export const abs = (a: Expr): Expr =>
  strict(
    a.type,
    [a],
    ([x]) => (a.type === 'int' ? `toInt64(abs(${x}))` : `abs(${x})`),
    (x: number) => Math.abs(x),
  );
export const modulo = (a: Expr, k: number): Expr =>
  strict(
    'int',
    [a],
    ([x]) => `(${x} % ${k})`,
    (x: number) => x % k,
  );
export const intDiv = (a: Expr, k: number): Expr =>
  strict(
    'int',
    [a],
    ([x]) => `intDiv(${x}, ${k})`,
    (x: number) => Math.trunc(x / k),
  );
export const floor = (a: Expr): Expr => call('float', 'floor', [a], Math.floor);
export const half = (a: Expr): Expr =>
  strict(
    'float',
    [a],
    ([x]) => `(${x} / 2)`,
    (x: number) => x / 2,
  );
