import { fault, quoted, type SourcePosition } from '../fault.js';
import { type Expression, type FrameEnd, type Named, type Ordering, type WindowClause } from '../tree.js';
import { type Checking } from './checking.js';
import { fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { readList, readName } from './lists.js';

const frameUnits: Readonly<Record<string, 'rows' | 'range'>> = { Rows: 'rows', Range: 'range' };

const nullTreatments: Readonly<Record<string, 'ignore' | 'respect'>> = {
  IgnoreNulls: 'ignore',
  RespectNulls: 'respect',
};

export const readCall = (checking: Checking, content: unknown, at: SourcePosition): Expression => {
  const { name, parameters, args, over, null_treatment: nulls } = fieldsOf('Function', content, at);
  const [first, ...more] = nodesOf(name).map((part) => readName(variantOf(part).content, at));
  if (!first || more.length > 0) throw fault('A function has one name, without a dot', at);
  const read = readArguments(checking, args, at);
  return {
    kind: 'call',
    name: first,
    parameters: readArguments(checking, parameters, at).args,
    ...read,
    nulls: nullTreatments[variantOf(nulls).name] ?? null,
    over: (over ?? null) === null ? null : readOver(checking, over, at),
    at,
  };
};

interface Arguments {
  readonly args: readonly Expression[];
  readonly distinct: boolean;
  readonly ofRows: boolean;
}

const readArguments = (checking: Checking, node: unknown, at: SourcePosition): Arguments => {
  const { name, content } = variantOf(node);
  if (name === 'None' || name === '') return { args: [], distinct: false, ofRows: false };
  if (name !== 'List')
    throw fault('A SELECT as an argument needs brackets of its own: f((SELECT …))', positionOf(node, at));
  const { duplicate_treatment: treatment, args } = fieldsOf('FunctionArguments', content, at);
  const nodes = nodesOf(args).map((arg) => argumentOf(arg, at));
  const ofRows = nodes.length === 1 && nodes[0] === 'rows';
  if (!ofRows && nodes.includes('rows')) throw fault('* is an argument of count only', at);
  return {
    args: ofRows ? [] : readList(checking, nodes, at),
    distinct: variantOf(treatment).name === 'Distinct',
    ofRows,
  };
};

/** The expression of an argument, or 'rows' for `*`. */
const argumentOf = (arg: unknown, at: SourcePosition): unknown => {
  const { name, content } = variantOf(arg);
  if (name !== 'Unnamed') throw fault('An argument has no name here', positionOf(arg, at));
  const { name: form, content: expression } = variantOf(content);
  if (form === 'Expr') return expression;
  if (form === 'Wildcard') return 'rows';
  throw fault('count(*) takes no name of a table', positionOf(arg, at));
};

const readOver = (checking: Checking, node: unknown, at: SourcePosition): WindowClause | Named => {
  const { name, content } = variantOf(node);
  return name === 'NamedWindow' ? readName(content, at) : readWindow(checking, content, at);
};

export const readWindow = (checking: Checking, node: unknown, at: SourcePosition): WindowClause => {
  const {
    window_name: base,
    partition_by: partition,
    order_by: order,
    window_frame: frame,
  } = fieldsOf('WindowSpec', node, at);
  return {
    base: (base ?? null) === null ? null : readName(base, at),
    partitionBy: nodesOf(partition).map((one) => checking.expression(one, at)),
    orderBy: readOrderings(checking, nodesOf(order), at),
    frame: (frame ?? null) === null ? null : readFrame(frame, at),
  };
};

const readFrame = (node: unknown, at: SourcePosition): WindowClause['frame'] => {
  const { units, start_bound: start, end_bound: end } = fieldsOf('WindowFrame', node, at);
  const known = frameUnits[variantOf(units).name];
  if (!known) throw fault('A window frame is ROWS or RANGE', at);
  return { units: known, from: frameEnd(start, at), to: (end ?? null) === null ? null : frameEnd(end, at) };
};

const frameEnd = (node: unknown, at: SourcePosition): FrameEnd => {
  const { name, content } = variantOf(node);
  if (name === 'CurrentRow') return { kind: 'current row' };
  const side = name === 'Preceding' ? 'preceding' : 'following';
  if ((content ?? null) === null) return { kind: `unbounded ${side}` };
  const value = variantOf(variantOf(content).content);
  const rows = Number(findNumber(content));
  if (Number.isInteger(rows) && rows >= 0 && rows <= 1_000_000) return { kind: side, rows };
  throw fault(`${quoted(String(value.name))} is not a number of rows: write 3 PRECEDING`, positionOf(content, at));
};

const findNumber = (node: unknown): unknown => {
  const { name, content } = variantOf(node);
  if (name !== 'Value') return NaN;
  const { value } = content as { value: unknown };
  const literal = variantOf(value);
  return literal.name === 'Number' ? nodesOf(literal.content)[0] : NaN;
};

export const readOrderings = (checking: Checking, nodes: readonly unknown[], at: SourcePosition): Ordering[] =>
  nodes.map((node) => {
    const { expr, options } = fieldsOf('OrderByExpr', node, at);
    const { asc, nulls_first: nullsFirst } = fieldsOf('OrderByOptions', options, at);
    return {
      by: checking.expression(expr, at),
      descending: asc === false,
      nullsFirst: typeof nullsFirst === 'boolean' ? nullsFirst : null,
    };
  });
