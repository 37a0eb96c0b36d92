import { type Place } from '../fault.js';
import { type Expression, type Literal, type Named } from '../tree.js';
import { literalOfToken, markerAt, placeholderValue, type Checking } from './checking.js';
import { fieldsOf, placeOf, variantOf } from './node.js';

export const readName = (node: unknown, at: Place): Named => {
  const { value } = fieldsOf('Ident', node, at);
  return { text: String(value), at: placeOf(node, at) };
};

/** The elements of a list, of which one may stand for many literals. */
export const readList = (checking: Checking, nodes: readonly unknown[], at: Place): Expression[] =>
  nodes.flatMap((node): Expression[] => {
    const marker = markerAt(checking, placeOf(node, at));
    if (marker?.kind === 'list' && variantOf(node).name === 'Identifier') {
      return marker.literals.map(({ token, isNegative }) => literalOfToken(token, isNegative));
    }
    if (marker?.kind === 'placeholder' && variantOf(node).name === 'Identifier') {
      const value = placeholderValue(checking, marker.name, placeOf(node, at));
      return Array.isArray(value) ? [...(value as Literal[])] : [value as Literal];
    }
    return [checking.expression(node, at)];
  });
