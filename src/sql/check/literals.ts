import { fault, quoted, type SourcePosition } from '../fault.js';
import { textOfToken, type Checking } from './checking.js';
import { fieldsOf, nodesOf, positionOf, variantOf } from './node.js';
import { type NodeReader } from './node-reader.js';

const tokenAt = ({ tokens }: Checking, { line, column }: SourcePosition) => {
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

export const readValue: NodeReader = (checking, content, at) => {
  const { value } = fieldsOf('ValueWithSpan', content, at);
  const { name, content: inner } = variantOf(value);
  switch (name) {
    case 'SingleQuotedString': {
      const token = tokenAt(checking, positionOf(content, at));
      return { kind: 'text', value: token?.kind === 'text' ? textOfToken(token) : String(inner), at };
    }
    case 'Number':
      return { kind: 'number', digits: digitsOf(String(nodesOf(inner)[0]), at), at };
    case 'Boolean':
      return { kind: 'constant', value: inner === true, at };
    case 'Null':
      return { kind: 'constant', value: null, at };
    case 'Placeholder':
      // The parser takes names that begin with a dollar for placeholders.
      if (isColumn(String(inner))) return { kind: 'name', parts: [{ text: String(inner), at }], at };
      throw fault(placeholderHint(String(inner)), at);
    default:
      throw fault("Write a text as '…'", at);
  }
};

export const digitsOf = (text: string, at: SourcePosition): string => {
  if (/^-?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text)) return text;
  throw fault(`${quoted(text)} is not a number`, at);
};

/** Columns of groups and sessions that have the names of the reference product. */
const isColumn = (written: string): boolean =>
  /^\$(group_\d{1,2}|start_timestamp|end_timestamp|session_duration)$/.test(written);

/**
 * Explains a name with a dollar, such as `$browser`: names of the reference product begin so, and the parser takes them for
 * placeholders.
 */
const placeholderHint = (written: string): string =>
  /^\$[a-z_]\w*$/i.test(written)
    ? `There is no column ${quoted(written)} here: a property is written properties.${quoted(written)}`
    : 'A placeholder is a name in braces, such as {plan}, whose value is in "values"';
