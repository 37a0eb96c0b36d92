import { findFunction } from '../functions/find-function.js';
import { type CallExpression, type Expression, type NameExpression } from '../tree.js';

type Visited = Readonly<Record<string, unknown>>;

const isVisited = (value: unknown): value is Visited => typeof value === 'object' && value !== null;

/** Calls `visit` for each node of a tree; a node for which it returns false is not entered. */
export const walk = (node: unknown, visit: (node: Visited) => boolean): void => {
  const pending: unknown[] = [node];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!isVisited(next)) continue;
    if ('kind' in next && !visit(next)) continue;
    pending.push(...(Array.isArray(next) ? (next as unknown[]) : Object.values(next)));
  }
};

export const isQuery = (node: Visited): boolean =>
  node.kind === 'query' || node.kind === 'full query' || node.kind === 'exists';

/** True if the value is the same for all rows: it names no column. */
export const isConstant = (expression: Expression): boolean => {
  let constant = true;
  walk(expression, (node) => {
    if (node.kind === 'name') constant = false;
    return constant && !isQuery(node);
  });
  return constant;
};

/** True if an expression needs all rows of a group, or a window of them. */
export const isOfManyRows = (expression: Expression): boolean => {
  let found = false;
  walk(expression, (node) => {
    if (node.kind === 'call') {
      const { name, over } = node as unknown as CallExpression;
      const kind = findFunction(name.text)?.kind;
      if (over !== null || kind === 'aggregate' || kind === 'window') found = true;
    }
    return !found && !isQuery(node);
  });
  return found;
};

export const isName = (expression: Expression): expression is NameExpression => expression.kind === 'name';
