import { type SourcePosition } from '../fault.js';
import { type Expression, type Literal, type Named } from '../tree.js';
import { literalOfToken, markerAt, placeholderValue, type Checking } from './checking.js';
import { fieldsOf, positionOf, variantOf } from './node.js';

export const readName = (node: unknown, at: SourcePosition): Named => {
  const { value } = fieldsOf('Ident', node, at);
  return { text: String(value), at: positionOf(node, at) };
};

/**
 * Reads the elements of a list. A marker can stand for many literals, and in `IN (…)` a placeholder can stand for a list of
 * values.
 */
export const readList = (
  checking: Checking,
  nodes: readonly unknown[],
  at: SourcePosition,
  { isInList = false } = {},
): Expression[] =>
  nodes.flatMap((node): Expression[] => {
    const marker = markerAt(checking, positionOf(node, at));
    if (marker?.kind === 'list' && variantOf(node).name === 'Identifier') {
      return marker.literals.map(({ token, isNegative }) => literalOfToken(token, isNegative));
    }
    const value = placeholderOf(checking, node, at);
    if (isInList && Array.isArray(value)) return [...(value as Literal[])];
    return [checking.expression(node, at)];
  });

const placeholderOf = (checking: Checking, node: unknown, at: SourcePosition): Literal | readonly Literal[] | null => {
  const position = positionOf(node, at);
  const marker = markerAt(checking, position);
  if (marker?.kind !== 'placeholder' || variantOf(node).name !== 'Identifier') return null;
  return placeholderValue(checking, marker.name, position);
};
