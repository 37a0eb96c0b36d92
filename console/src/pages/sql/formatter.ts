import { clickhouse, formatDialect } from 'sql-formatter';

/** Names of properties may begin with a dollar sign. */
const dialect = {
  ...clickhouse,
  tokenizerOptions: { ...clickhouse.tokenizerOptions, identChars: { first: '$', rest: '$' } },
};

/** A variable, or `{filters}`. */
const placeholder = String.raw`\{\w+(?:\.\w+)*\}`;

const bare = (text: string): string => text.replace(/\s+/g, '');

/** The statement with a clause a line; throws if it cannot be read. Nothing but white space changes. */
export const formatted = (text: string): string => {
  const made = formatDialect(text, { dialect, tabWidth: 2, paramTypes: { custom: [{ regex: placeholder }] } });
  if (bare(made) !== bare(text)) throw new Error('Formatting would change the statement');
  return made;
};
