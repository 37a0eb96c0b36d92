import { fault, quoted, type Place } from '../fault.js';
import { type Expression, type Literal, type Named, type SqlOperator, type Unit } from '../tree.js';
import { readList, readName } from './lists.js';
import { readCall } from './calls.js';
import { literalOfToken, markerAt, placeholderValue, textOfToken, type Checking } from './checking.js';
import { fieldsOf, isNode, nodesOf, placeOf, variantOf } from './node.js';
import { readType } from './types.js';

type Reader = (checking: Checking, content: unknown, at: Place) => Expression;

/** A function of the engine in place of special syntax. */
const called = (name: string, args: readonly Expression[], at: Place): Expression => ({
  kind: 'call',
  name: { text: name, at },
  parameters: [],
  args,
  distinct: false,
  nulls: null,
  ofRows: false,
  over: null,
  at,
});

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

const operation = (operator: SqlOperator, operands: readonly Expression[], at: Place): Expression => ({
  kind: 'operation',
  operator,
  operands,
  at,
});

const unary =
  (operator: SqlOperator): Reader =>
  (checking, content, at) =>
    operation(operator, [checking.expression(content, at)], at);

/**
 * The parser takes all that follows for the right side: in `a IS DISTINCT FROM b AND c` it reads `b AND c`. The right side
 * ends before the first AND, OR or XOR that stands without brackets.
 */
const distinctness =
  (operator: 'same' | 'not same'): Reader =>
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
    throw fault('Put what stands behind IS DISTINCT FROM into brackets', placeOf(right, at));
  };

const isComparison = (operator: SqlOperator): boolean => ['=', '!=', '<', '<=', '>', '>='].includes(operator);

const truth =
  (value: boolean, operator: 'same' | 'not same'): Reader =>
  (checking, content, at) =>
    operation(operator, [checking.expression(content, at), { kind: 'constant', value, at }], at);

const units: Readonly<Record<string, Unit>> = Object.fromEntries(
  (['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
  ]),
);

export const unitOf = (text: string): Unit | null => units[text.toLowerCase()] ?? null;

/** How each kind of expression is read. A kind that is not here is refused. */
const readers: Readonly<Record<string, Reader>> = {
  Identifier: (checking, content, at) => readIdentifier(checking, content, at),
  CompoundIdentifier: (checking, content, at) => readCompound(checking, nodesOf(content), at),
  CompoundFieldAccess: (checking, content, at) => readAccess(checking, content, at),
  Value: (checking, content, at) => readValue(checking, content, at),
  Nested: (checking, content, at) => checking.expression(content, at),
  BinaryOp: (checking, content, at) => {
    const { left, op, right } = fieldsOf('BinaryOp', content, at);
    const operator = binaryOperators[variantOf(op).name];
    if (!operator) throw fault(`The operator ${variantOf(op).name} is not known here`, at);
    return operation(operator, [checking.expression(left, at), checking.expression(right, at)], at);
  },
  UnaryOp: (checking, content, at) => {
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
  },
  IsNull: unary('is null'),
  IsNotNull: unary('is not null'),
  IsTrue: truth(true, 'same'),
  IsNotTrue: truth(true, 'not same'),
  IsFalse: truth(false, 'same'),
  IsNotFalse: truth(false, 'not same'),
  IsDistinctFrom: distinctness('not same'),
  IsNotDistinctFrom: distinctness('same'),
  Between: (checking, content, at) => {
    const { expr, negated, low, high } = fieldsOf('Between', content, at);
    const [of, lowest, highest] = [expr, low, high].map((one) => checking.expression(one, at)) as [
      Expression,
      Expression,
      Expression,
    ];
    return { kind: 'between', of, low: lowest, high: highest, negated: negated === true, at };
  },
  Like: (checking, content, at) => readLike(checking, fieldsOf('Like', content, at), false, at),
  ILike: (checking, content, at) => readLike(checking, fieldsOf('ILike', content, at), true, at),
  InList: (checking, content, at) => readInList(checking, content, at),
  InSubquery: (checking, content, at) => {
    const { expr, subquery, negated } = fieldsOf('InSubquery', content, at);
    const of = checking.expression(expr, at);
    return { kind: 'in', of, among: checking.query(subquery, at), negated: negated === true, at };
  },
  Exists: (checking, content, at) => {
    const { subquery, negated } = fieldsOf('Exists', content, at);
    return { kind: 'exists', query: checking.query(subquery, at), negated: negated === true, at };
  },
  Subquery: (checking, content, at) => ({ kind: 'query', query: checking.query(content, at), at }),
  Case: (checking, content, at) => {
    const { operand, conditions, else_result: otherwise } = fieldsOf('Case', content, at);
    const optional = (node: unknown) => ((node ?? null) === null ? null : checking.expression(node, at));
    const branches = nodesOf(conditions).map((branch) => {
      const { condition, result } = fieldsOf('CaseWhen', branch, at);
      return { when: checking.expression(condition, at), then: checking.expression(result, at) };
    });
    return { kind: 'case', of: optional(operand), branches, otherwise: optional(otherwise), at };
  },
  Cast: (checking, content, at) => {
    const { kind, expr, data_type: type } = fieldsOf('Cast', content, at);
    if (kind !== 'Cast' && kind !== 'DoubleColon') throw fault('Write CAST(value AS type) or value::type', at);
    return { kind: 'cast', of: checking.expression(expr, at), type: readType(type, at), at };
  },
  Interval: (checking, content, at) => {
    const { value, leading_field: field } = fieldsOf('Interval', content, at);
    const unit = unitOf(variantOf(field).name);
    if (!unit) throw fault('INTERVAL needs second, minute, hour, day, week, month, quarter or year', at);
    const amount = checking.expression(value, at);
    return {
      kind: 'interval',
      amount: amount.kind === 'text' ? { ...amount, kind: 'number', digits: digitsOf(amount.value, at) } : amount,
      unit,
      at,
    };
  },
  Array: (checking, content, at) => {
    const { elem } = fieldsOf('Array', content, at);
    return { kind: 'array', items: readList(checking, nodesOf(elem), at), at };
  },
  Tuple: (checking, content, at) => ({ kind: 'tuple', items: readList(checking, nodesOf(content), at), at }),
  Lambda: (checking, content, at) => {
    const { params, body, syntax } = fieldsOf('Lambda', content, at);
    if (syntax !== 'Arrow') throw fault('Write a function as x -> …', at);
    const { name, content: parameters } = variantOf(params);
    const all = name === 'One' ? [parameters] : nodesOf(parameters);
    return {
      kind: 'lambda',
      parameters: all.map((one) => readName(fieldsOf('LambdaFunctionParameter', one, at).name, at)),
      body: checking.expression(body, at),
      at,
    };
  },
  Function: readCall,
  Substring: (checking, content, at) => {
    const { expr, substring_from: from, substring_for: length } = fieldsOf('Substring', content, at);
    return called('substring', optionalArgs(checking, [expr, from, length], at), at);
  },
  Trim: (checking, content, at) => {
    const { expr, trim_where: where, trim_what: what, trim_characters: characters } = fieldsOf('Trim', content, at);
    const name = { Leading: 'trimLeft', Trailing: 'trimRight' }[variantOf(where).name] ?? 'trimBoth';
    return called(name, optionalArgs(checking, [expr, what, ...nodesOf(characters)], at), at);
  },
  Position: (checking, content, at) => {
    const { expr, in: within } = fieldsOf('Position', content, at);
    return called('position', optionalArgs(checking, [within, expr], at), at);
  },
  Extract: (checking, content, at) => {
    const { field, expr } = fieldsOf('Extract', content, at);
    const name = extracted[variantOf(field).name.toLowerCase()];
    if (!name) throw fault('EXTRACT knows second, minute, hour, day, month, quarter and year', at);
    return called(name, [checking.expression(expr, at)], at);
  },
  Ceil: (checking, content, at) => readRounding('ceil', checking, fieldsOf('Ceil', content, at), at),
  Floor: (checking, content, at) => readRounding('floor', checking, fieldsOf('Floor', content, at), at),
  TypedString: (checking, content, at) => {
    const { data_type: type, value } = fieldsOf('TypedString', content, at);
    return { kind: 'cast', of: readValue(checking, value, at), type: readType(type, at), at };
  },
};

const extracted: Readonly<Record<string, string>> = {
  second: 'toSecond',
  minute: 'toMinute',
  hour: 'toHour',
  day: 'toDayOfMonth',
  month: 'toMonth',
  quarter: 'toQuarter',
  year: 'toYear',
};

export const expressionKinds: readonly string[] = Object.keys(readers);

/** Syntax that is known, and what means the same. */
const refused: Readonly<Record<string, string>> = {
  AnyOp: 'write IN (SELECT …)',
  AllOp: 'compare with (SELECT max(…) …) or use NOT IN',
  RLike: 'write match(text, pattern)',
  SimilarTo: 'write match(text, pattern)',
  AtTimeZone: "write toTimeZone(time, 'Europe/Berlin')",
  Convert: 'write CAST(value AS type)',
  Overlay: 'write concat(substring(…), …)',
  Dictionary: "write map('key', value)",
  InUnnest: 'write has(list, value)',
  GroupingSets: 'use several SELECTs with UNION ALL',
};

export const readExpression: Reader = (checking, node, at) => {
  const { name, content } = variantOf(node);
  const reader = readers[name];
  const place = placeOf(node, at);
  if (!reader)
    throw fault(refused[name] ? `This is not known here: ${refused[name]}` : `${name} is not known here`, place);
  return reader(checking, content, place);
};

const readIdentifier: Reader = (checking, content, at) => {
  const marker = markerAt(checking, at);
  switch (marker?.kind) {
    case undefined:
      return { kind: 'name', parts: [readName(content, at)], at };
    case 'placeholder': {
      const value = placeholderValue(checking, marker.name, at);
      return Array.isArray(value) ? { kind: 'array', items: value as Literal[], at } : (value as Literal);
    }
    case 'number':
      return { kind: 'number', digits: marker.digits, at };
    case 'list': {
      // One literal list in plain brackets is a tuple.
      const items = marker.literals.map(({ token, isNegative }) => literalOfToken(token, isNegative));
      return { kind: 'tuple', items, at };
    }
    default:
      throw fault('This is not known here', at);
  }
};

/** `a.b.c`, of which the last parts may be places in tuples. */
const readCompound = (checking: Checking, nodes: readonly unknown[], at: Place): Expression => {
  let result: Expression | null = null;
  let parts: Named[] = [];
  for (const node of nodes) {
    const name = readName(node, at);
    const marker = markerAt(checking, name.at);
    if (marker?.kind === 'position') {
      const of: Expression = result ?? { kind: 'name', parts, at };
      result = { kind: 'field', of, position: marker.position, at: name.at };
    } else if (result) throw fault('A name cannot follow a place in a tuple', name.at);
    else parts = [...parts, name];
  }
  return result ?? { kind: 'name', parts, at };
};

const readAccess: Reader = (checking, content, at) => {
  const { root, access_chain: chain } = fieldsOf('CompoundFieldAccess', content, at);
  let of = checking.expression(root, at);
  for (const link of nodesOf(chain)) {
    const { name, content: inner } = variantOf(link);
    if (name === 'Dot') of = afterDot(checking, of, inner, at);
    else if (name === 'Subscript' && variantOf(inner).name === 'Index') {
      const { index } = fieldsOf('Subscript', variantOf(inner).content, at);
      of = { kind: 'element', of, key: checking.expression(index, at), at };
    } else throw fault('Write arraySlice(list, offset, length) instead of a slice', placeOf(link, at));
  }
  return of;
};

const afterDot = (checking: Checking, of: Expression, node: unknown, at: Place): Expression => {
  const { name, content } = variantOf(node);
  if (name !== 'Identifier') throw fault('A name or a place in a tuple was expected behind the dot', placeOf(node, at));
  const field = readName(content, at);
  const marker = markerAt(checking, field.at);
  if (marker?.kind === 'position') return { kind: 'field', of, position: marker.position, at: field.at };
  if (of.kind === 'name') return { ...of, parts: [...of.parts, field] };
  if (of.kind === 'element')
    return { kind: 'element', of, key: { kind: 'text', value: field.text, at: field.at }, at: field.at };
  throw fault(`.${quoted(field.text)} is not known here: only columns and tables have names behind a dot`, field.at);
};

const tokenAt = ({ tokens }: Checking, { line, column }: Place) => {
  let [low, high] = [0, tokens.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const token = tokens[middle];
    if (!token) return undefined;
    if (token.line === line && token.column === column) return token;
    if (token.line < line || (token.line === line && token.column < column)) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
};

export const readValue: Reader = (checking, content, at) => {
  const { value } = fieldsOf('ValueWithSpan', content, at);
  const { name, content: inner } = variantOf(value);
  switch (name) {
    case 'SingleQuotedString': {
      const token = tokenAt(checking, placeOf(content, at));
      return { kind: 'text', value: token?.kind === 'text' ? textOfToken(token) : String(inner), at };
    }
    case 'Number':
      return { kind: 'number', digits: digitsOf(String(nodesOf(inner)[0]), at), at };
    case 'Boolean':
      return { kind: 'constant', value: inner === true, at };
    case 'Null':
      return { kind: 'constant', value: null, at };
    case 'Placeholder':
      throw fault('A placeholder is a name in braces, such as {plan}, whose value is in "values"', at);
    default:
      throw fault("Write a text as '…'", at);
  }
};

const digitsOf = (text: string, at: Place): string => {
  if (/^-?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return text;
  throw fault(`${quoted(text)} is not a number`, at);
};

const readLike = (
  checking: Checking,
  { expr, pattern, negated }: Readonly<Record<string, unknown>>,
  anyCase: boolean,
  at: Place,
): Expression => ({
  kind: 'like',
  of: checking.expression(expr, at),
  pattern: checking.expression(pattern, at),
  anyCase,
  negated: negated === true,
  at,
});

const readInList: Reader = (checking, content, at) => {
  const { expr, list, negated } = fieldsOf('InList', content, at);
  const of = checking.expression(expr, at);
  const nodes = nodesOf(list);
  const marker = nodes.length === 1 ? markerAt(checking, placeOf(nodes[0], at)) : undefined;
  if (marker?.kind === 'cohort') {
    const place = placeOf(nodes[0], at);
    const { cohort } = marker;
    const literal =
      'placeholder' in cohort ? placeholderValue(checking, cohort.placeholder, place) : literalOfToken(cohort, false);
    if (Array.isArray(literal)) throw fault('IN COHORT needs one cohort', place);
    return { kind: 'in cohort', of, cohort: literal as Literal, negated: negated === true, at };
  }
  return { kind: 'in', of, among: readList(checking, nodes, at, { isInList: true }), negated: negated === true, at };
};

const optionalArgs = (checking: Checking, nodes: readonly unknown[], at: Place): Expression[] =>
  nodes.filter((node) => isNode(node)).map((node) => checking.expression(node, at));

const readRounding = (
  name: string,
  checking: Checking,
  { expr, field }: Readonly<Record<string, unknown>>,
  at: Place,
): Expression => {
  const { name: form, content } = variantOf(field);
  if (form === 'Scale') return called(name, [checking.expression(expr, at), readValue(checking, content, at)], at);
  if (content !== 'NoDateTime') throw fault('Write dateTrunc(unit, time)', at);
  return called(name, [checking.expression(expr, at)], at);
};
