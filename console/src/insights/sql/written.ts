// Without imports, so that test/console reads it without a browser.

/** A question in SQL as it is written: its text, and the values of the placeholders in it. */
export interface Written {
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** `{variables.plan}` stands for the value of the variable whose code name is plan. */
const ofVariables = (variables: unknown): Fields =>
  Object.fromEntries(
    Object.values(fieldsOf(variables)).map((one) => {
      const { code_name: name, value, isNull } = fieldsOf(one);
      return [`variables.${String(name)}`, isNull === true ? null : value];
    }),
  );

/** Reads the parameters of a saved question, whose text may be inside of nodes. */
export const readWritten = ({ query, values }: Fields): Written => {
  if (typeof query === 'string') return { text: query, values: fieldsOf(values) };
  const node = fieldsOf(query);
  if (node.source !== undefined) return readWritten({ query: node.source, values });
  return {
    text: typeof node.query === 'string' ? node.query : '',
    values: { ...fieldsOf(values), ...fieldsOf(node.values), ...ofVariables(node.variables) },
  };
};

const parts = /'(?:[^'\\]|\\.|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)\s*\}/g;

/** The names of the placeholders, as in `{plan}`, outside of texts and comments. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(parts)].flatMap(([, name]) => (name === undefined ? [] : [name]))),
];

/** The parameters of the question, with a value for each placeholder: an empty text until one is given. */
export const paramsOf = ({
  text,
  values,
}: Written): { readonly query: string; readonly values?: Record<string, unknown> } => {
  const names = placeholdersOf(text);
  if (names.length === 0) return { query: text };
  return {
    query: text,
    values: Object.fromEntries(names.map((name) => [name, values[name] === undefined ? '' : values[name]])),
  };
};

export const isSameQuestion = (a: Written, b: Written): boolean =>
  JSON.stringify(paramsOf(a)) === JSON.stringify(paramsOf(b));

/** The question as the interface takes it. */
export const nodeOf = (
  written: Written,
): { readonly kind: 'HogQLQuery'; readonly query: string; readonly values?: Record<string, unknown> } => ({
  kind: 'HogQLQuery',
  ...paramsOf(written),
});
