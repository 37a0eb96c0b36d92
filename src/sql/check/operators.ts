import { fault, type SourcePosition } from '../fault.js';
import { type Expression, type NumberLiteral, type SqlOperator } from '../tree.js';
import { fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { type NodeReader } from './node-reader.js';

const binaryOperators: Readonly<Record<string, SqlOperator>> = {
  Or: 'or',
  And: 'and',
  Xor: 'xor',
  Eq: '=',
  NotEq: '!=',
  Lt: '<',
  LtEq: '<=',
  Gt: '>',
  GtEq: '>=',
  Plus: '+',
  Minus: '-',
  Multiply: '*',
  Divide: '/',
  Modulo: '%',
  StringConcat: '||',
};

const operation = (operator: SqlOperator, operands: readonly Expression[], at: SourcePosition): Expression => ({
  kind: 'operation',
  operator,
  operands,
  at,
});

export const unary =
  (operator: SqlOperator): NodeReader =>
  (checking, content, at) =>
    operation(operator, [checking.expression(content, at)], at);

/**
 * Reads IS DISTINCT FROM. The parser takes all that follows for the right side, such as `b AND c` in `a IS DISTINCT FROM b AND
 * c`, so the right side is cut here before the first AND, OR or XOR without brackets.
 */
export const distinctness =
  (operator: 'same' | 'not same'): NodeReader =>
  (checking, content, at) => {
    const [left, right] = nodesOf(content);
    const { name, content: inner } = variantOf(right);
    if (name !== 'BinaryOp')
      return operation(operator, [checking.expression(left, at), checking.expression(right, at)], at);
    const fields = fieldsOf('BinaryOp', inner, at);
    const outer = binaryOperators[variantOf(fields.op).name];
    if (outer === 'and' || outer === 'or' || outer === 'xor') {
      const first = distinctness(operator)(checking, [left, fields.left], at);
      return operation(outer, [first, checking.expression(fields.right, at)], at);
    }
    if (outer && !isComparison(outer))
      return operation(operator, [checking.expression(left, at), checking.expression(right, at)], at);
    throw fault('Put what follows IS DISTINCT FROM into brackets', positionOf(right, at));
  };

const isComparison = (operator: SqlOperator): boolean => ['=', '!=', '<', '<=', '>', '>='].includes(operator);

export const truth =
  (value: boolean, operator: 'same' | 'not same'): NodeReader =>
  (checking, content, at) =>
    operation(operator, [checking.expression(content, at), { kind: 'constant', value, at }], at);

/** Operators with which PostgreSQL reads JSON, such as `->`, by the parser's names. */
const intoJson = ['Arrow', 'LongArrow', 'HashArrow', 'HashLongArrow'];

const unknownOperator = (name: string): string =>
  intoJson.includes(name)
    ? "Write properties.key, or properties['key'], in place of -> and ->>"
    : `The operator ${name} is not known here`;

export const readBinary: NodeReader = (checking, content, at) => {
  const { left, op, right } = fieldsOf('BinaryOp', content, at);
  const operator = binaryOperators[variantOf(op).name];
  if (!operator) throw fault(unknownOperator(variantOf(op).name), at);
  const operands = [checking.expression(left, at), checking.expression(right, at)] as const;
  if (operator === '-' || operator === '/') refuseUnquotedDate(operator, ...operands);
  return operation(operator, operands, at);
};

const isNumber = (expression: Expression | undefined, digits: RegExp): expression is NumberLiteral =>
  expression?.kind === 'number' && digits.test(expression.digits);

/**
 * Refuses a date without quotes: 2026-01-31 is the number 1994 and 2026/01/31 is a number, too, so a comparison with a time
 * would be computed, with a wrong result.
 */
const refuseUnquotedDate = (sign: '-' | '/', yearAndMonth: Expression, day: Expression): void => {
  if (yearAndMonth.kind !== 'operation' || yearAndMonth.operator !== sign || !isNumber(day, /^\d\d$/)) return;
  const [year, month] = yearAndMonth.operands;
  if (!isNumber(year, /^\d{4}$/) || !isNumber(month, /^\d\d$/)) return;
  const isOneWord = month.at.column === year.at.column + 5 && day.at.column === month.at.column + 3;
  if (!isOneWord || [month, day].some(({ at }) => at.line !== year.at.line)) return;
  const parts = [year, month, day].map(({ digits }) => digits);
  const sum = sign === '-' ? 'subtraction' : 'division';
  throw fault(`${parts.join(sign)} without quotes is a ${sum}: write the date as '${parts.join('-')}'`, year.at);
};

export const readUnary: NodeReader = (checking, content, at) => {
  const { op, expr } = fieldsOf('UnaryOp', content, at);
  const operand = checking.expression(expr, at);
  switch (variantOf(op).name) {
    case 'Not':
      return operation('not', [operand], at);
    case 'Plus':
      return operand;
    case 'Minus':
      if (operand.kind !== 'number' || operand.digits.startsWith('-')) return operation('negate', [operand], at);
      return { ...operand, digits: `-${operand.digits}` };
    default:
      throw fault(`The operator ${variantOf(op).name} is not known here`, at);
  }
};
