import { fault, type SourcePosition } from '../fault.js';
import { type Expression } from '../tree.js';
import { type Checking } from './checking.js';
import { readValue } from './literals.js';
import { fieldsOf, isNode, nodesOf, variantOf } from './node.js';
import { type NodeReader } from './node-reader.js';

/** Makes a call of an engine function from special syntax, such as EXTRACT(year FROM time). */
const called = (name: string, args: readonly Expression[], at: SourcePosition): Expression => ({
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

/** Functions that have a syntax of their own. */
export const functionSyntax: Readonly<Record<string, NodeReader>> = {
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

const optionalArgs = (checking: Checking, nodes: readonly unknown[], at: SourcePosition): Expression[] =>
  nodes.filter((node) => isNode(node)).map((node) => checking.expression(node, at));

const readRounding = (
  name: string,
  checking: Checking,
  { expr, field }: Readonly<Record<string, unknown>>,
  at: SourcePosition,
): Expression => {
  const { name: form, content } = variantOf(field);
  if (form === 'Scale') return called(name, [checking.expression(expr, at), readValue(checking, content, at)], at);
  if (content !== 'NoDateTime') throw fault('Write dateTrunc(unit, time)', at);
  return called(name, [checking.expression(expr, at)], at);
};
