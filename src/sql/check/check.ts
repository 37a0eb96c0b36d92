import { fault, quoted, type SourcePosition } from '../fault.js';
import { type Parsed } from '../parse/parser.js';
import { type Query } from '../tree.js';
import { type Checking, type PlaceholderValues } from './checking.js';
import { readExpression } from './expressions.js';
import { positionOf, variantOf } from './node.js';
import { readQuery } from './selects.js';

const start: SourcePosition = { line: 1, column: 1 };

/** Turns the tree of the parser into a tree of allowed nodes only, with the values of placeholders filled in. */
export const check = ({ statements, markers, tokens, text }: Parsed, values: PlaceholderValues): Query => {
  const [statement, ...more] = statements;
  if (more.length > 0)
    throw fault('A question is one SELECT: remove the semicolon and what follows it', positionOf(more[0], start));
  const { name, content } = variantOf(statement);
  if (name !== 'Query') throw fault(notASelect(name), positionOf(content, start));
  const checking: Checking = {
    markers,
    tokens,
    text,
    values,
    read: new Set(),
    expression: (node, at) => readExpression(checking, node, at),
    query: (node, at) => readQuery(checking, node, at),
  };
  const query = checking.query(content, start);
  for (const [key, marker] of markers) {
    if (marker.kind !== 'placeholder' || checking.read.has(key)) continue;
    const [line = 1, column = 1] = key.split(':').map(Number);
    throw fault(`{${quoted(marker.name)}} stands for a value and cannot be a name: write the name itself`, {
      line,
      column,
    });
  }
  return query;
};

/** Explains that a statement is not a SELECT. The parser names a statement by its first words, except DESCRIBE. */
const notASelect = (name: string): string => {
  const words = name === 'ExplainTable' ? 'DESCRIBE' : name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
  const schema = /^(DESCRIBE|SHOW)/.test(words) ? '; GET query/schema lists the tables and their columns' : '';
  return `${words} is not allowed: a question is a SELECT${schema}`;
};
