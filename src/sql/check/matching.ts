import { fault } from '../fault.js';
import { type Literal } from '../tree.js';
import { literalOfToken, markerAt, placeholderValue } from './checking.js';
import { readList } from './lists.js';
import { fieldsOf, nodesOf, positionOf } from './node.js';
import { type NodeReader } from './node-reader.js';

export const readLike =
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

export const readInList: NodeReader = (checking, content, at) => {
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

export const readInSubquery: NodeReader = (checking, content, at) => {
  const { expr, subquery, negated } = fieldsOf('InSubquery', content, at);
  const of = checking.expression(expr, at);
  return { kind: 'in', of, among: checking.query(subquery, at), negated: negated === true, at };
};
