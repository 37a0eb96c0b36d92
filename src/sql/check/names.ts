import { fault, quoted, type SourcePosition } from '../fault.js';
import { type Expression, type Named } from '../tree.js';
import { literalOfToken, markerAt, placeholderExpression, type Checking } from './checking.js';
import { readName } from './lists.js';
import { fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { type NodeReader } from './node-reader.js';

export const readIdentifier: NodeReader = (checking, content, at) => {
  const marker = markerAt(checking, at);
  switch (marker?.kind) {
    case undefined:
      return { kind: 'name', parts: [readName(content, at)], at };
    case 'placeholder':
      return placeholderExpression(checking, marker.name, at);
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

/** Reads a name such as `a.b.c`, whose last parts may be indexes into tuples. */
export const readCompound: NodeReader = (checking, content, at) => {
  let result: Expression | null = null;
  let parts: Named[] = [];
  for (const node of nodesOf(content)) {
    const name = readName(node, at);
    const marker = markerAt(checking, name.at);
    if (marker?.kind === 'position') {
      const of: Expression = result ?? { kind: 'name', parts, at };
      result = { kind: 'field', of, position: marker.position, at: name.at };
    } else if (result) throw fault('A name cannot follow an index of a tuple', name.at);
    else parts = [...parts, name];
  }
  return result ?? { kind: 'name', parts, at };
};

export const readAccess: NodeReader = (checking, content, at) => {
  const { root, access_chain: chain } = fieldsOf('CompoundFieldAccess', content, at);
  let of = checking.expression(root, at);
  for (const link of nodesOf(chain)) {
    const { name, content: inner } = variantOf(link);
    if (name === 'Dot') of = afterDot(checking, of, inner, at);
    else if (name === 'Subscript' && variantOf(inner).name === 'Index') {
      const { index } = fieldsOf('Subscript', variantOf(inner).content, at);
      of = { kind: 'element', of, key: checking.expression(index, at), at };
    } else throw fault('Write arraySlice(list, offset, length) instead of a slice', positionOf(link, at));
  }
  return of;
};

const afterDot = (checking: Checking, of: Expression, node: unknown, at: SourcePosition): Expression => {
  const { name, content } = variantOf(node);
  if (name !== 'Identifier')
    throw fault('A name or an index of a tuple was expected after the dot', positionOf(node, at));
  const field = readName(content, at);
  const marker = markerAt(checking, field.at);
  if (marker?.kind === 'position') return { kind: 'field', of, position: marker.position, at: field.at };
  if (of.kind === 'name') return { ...of, parts: [...of.parts, field] };
  if (of.kind === 'element')
    return { kind: 'element', of, key: { kind: 'text', value: field.text, at: field.at }, at: field.at };
  throw fault(`.${quoted(field.text)} is not known here: only columns and tables have names after a dot`, field.at);
};
