import { fault } from '../fault.js';
import { type Expression, type Literal } from '../tree.js';
import { literalOfToken, markerAt, placeholderValue } from './checking.js';
import { readList, readName } from './lists.js';
import { fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { type NodeReader } from './node-reader.js';
import { readCall } from './calls.js';
import { functionSyntax } from './function-syntax.js';
import { digitsOf, readValue } from './literals.js';
import { readAccess, readCompound, readIdentifier } from './names.js';
import { distinctness, readBinary, readUnary, truth, unary } from './operators.js';
import { readType } from './types.js';
import { unitOf } from './units.js';

const readLike =
  (node: 'Like' | 'ILike'): NodeReader =>
  (checking, content, at) => {
    const { expr, pattern, negated } = fieldsOf(node, content, at);
    return {
      kind: 'like',
      of: checking.expression(expr, at),
      pattern: checking.expression(pattern, at),
      anyCase: node === 'ILike',
      negated: negated === true,
      at,
    };
  };

const readInList: NodeReader = (checking, content, at) => {
  const { expr, list, negated } = fieldsOf('InList', content, at);
  const of = checking.expression(expr, at);
  const nodes = nodesOf(list);
  const marker = nodes.length === 1 ? markerAt(checking, positionOf(nodes[0], at)) : undefined;
  if (marker?.kind === 'cohort') {
    const position = positionOf(nodes[0], at);
    const { cohort } = marker;
    const literal =
      'placeholder' in cohort
        ? placeholderValue(checking, cohort.placeholder, position)
        : literalOfToken(cohort, false);
    if (Array.isArray(literal)) throw fault('IN COHORT needs one cohort', position);
    return { kind: 'in cohort', of, cohort: literal as Literal, negated: negated === true, at };
  }
  return { kind: 'in', of, among: readList(checking, nodes, at, { isInList: true }), negated: negated === true, at };
};

const readInSubquery: NodeReader = (checking, content, at) => {
  const { expr, subquery, negated } = fieldsOf('InSubquery', content, at);
  const of = checking.expression(expr, at);
  return { kind: 'in', of, among: checking.query(subquery, at), negated: negated === true, at };
};

/** How each kind of expression is read. A kind that is not here is refused. */
const readers: Readonly<Record<string, NodeReader>> = {
  Identifier: readIdentifier,
  CompoundIdentifier: readCompound,
  CompoundFieldAccess: readAccess,
  Value: readValue,
  Nested: (checking, content, at) => checking.expression(content, at),
  BinaryOp: readBinary,
  UnaryOp: readUnary,
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
  Like: readLike('Like'),
  ILike: readLike('ILike'),
  InList: readInList,
  InSubquery: readInSubquery,
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
  ...functionSyntax,
  TypedString: (checking, content, at) => {
    const { data_type: type, value } = fieldsOf('TypedString', content, at);
    return { kind: 'cast', of: readValue(checking, value, at), type: readType(type, at), at };
  },
};

export const expressionKinds: readonly string[] = Object.keys(readers);

/** Advice for syntax that is refused: the syntax to write in its place. */
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

export const readExpression: NodeReader = (checking, node, at) => {
  const { name, content } = variantOf(node);
  const reader = readers[name];
  const position = positionOf(node, at);
  if (!reader)
    throw fault(refused[name] ? `This is not known here: ${refused[name]}` : `${name} is not known here`, position);
  return reader(checking, content, position);
};
