import { type SourcePosition, fault } from '../fault.js';

/**
 * The kinds of nodes that a question may have, each with the fields that may be set. Everything else that the parser
 * reads is refused.
 */
export const allowedNodes = {
  Query: ['with', 'body', 'order_by', 'limit_clause'],
  With: ['cte_tables'],
  Cte: ['alias', 'query'],
  TableAlias: ['explicit', 'name'],
  OrderBy: ['kind'],
  OrderByExpr: ['expr', 'options'],
  OrderByOptions: ['asc', 'nulls_first'],
  LimitOffset: ['limit', 'offset', 'limit_by'],
  Offset: ['value', 'rows'],
  OffsetCommaLimit: ['offset', 'limit'],
  SetOperation: ['op', 'set_quantifier', 'left', 'right'],
  Select: [
    'flavor',
    'distinct',
    'projection',
    'from',
    'selection',
    'group_by',
    'having',
    'qualify',
    'named_window',
    'window_before_qualify',
  ],
  ExprWithAlias: ['expr', 'alias'],
  WildcardOptions: ['opt_except'],
  ExceptSelectItem: ['first_element', 'additional_elements'],
  TableWithJoins: ['relation', 'joins'],
  Table: ['name', 'alias'],
  Derived: ['subquery', 'alias'],
  Join: ['relation', 'join_operator', 'global'],
  Ident: ['value', 'quote_style'],
  ValueWithSpan: ['value'],
  BinaryOp: ['left', 'op', 'right'],
  UnaryOp: ['op', 'expr'],
  Between: ['expr', 'negated', 'low', 'high'],
  Like: ['negated', 'expr', 'pattern'],
  ILike: ['negated', 'expr', 'pattern'],
  InList: ['expr', 'list', 'negated'],
  InSubquery: ['expr', 'subquery', 'negated'],
  Exists: ['subquery', 'negated'],
  Case: ['operand', 'conditions', 'else_result'],
  CaseWhen: ['condition', 'result'],
  Cast: ['kind', 'expr', 'data_type'],
  Interval: ['value', 'leading_field'],
  Array: ['elem', 'named'],
  CompoundFieldAccess: ['root', 'access_chain'],
  Subscript: ['index'],
  Lambda: ['params', 'body', 'syntax'],
  LambdaFunctionParameter: ['name'],
  Function: ['name', 'parameters', 'args', 'over', 'null_treatment'],
  FunctionArguments: ['duplicate_treatment', 'args'],
  WindowSpec: ['window_name', 'partition_by', 'order_by', 'window_frame'],
  WindowFrame: ['units', 'start_bound', 'end_bound'],
  Substring: ['expr', 'substring_from', 'substring_for', 'special', 'shorthand'],
  Trim: ['expr', 'trim_where', 'trim_what', 'trim_characters'],
  Position: ['expr', 'in'],
  Extract: ['field', 'syntax', 'expr'],
  Ceil: ['expr', 'field'],
  Floor: ['expr', 'field'],
  TypedString: ['data_type', 'value'],
} as const satisfies Record<string, readonly string[]>;

type NodeKind = keyof typeof allowedNodes;

/** Fields in which the parser notes positions only. */
const positions: ReadonlySet<string> = new Set([
  'span',
  'select_token',
  'with_token',
  'case_token',
  'end_token',
  'wildcard_token',
  'closing_paren_token',
]);

/** Messages for fields that are often tried; the refusal of another field names the field itself. */
const nodeRefusals: Readonly<Record<string, string>> = {
  settings: 'SETTINGS is not allowed here: the limits are those of all questions',
  format_clause: 'FORMAT is not allowed here: ask with format=csv, ndjson or parquet',
  prewhere: 'PREWHERE is not allowed here: write WHERE, which is as fast',
  into: 'INTO is not allowed: a question only reads',
  sample: 'SAMPLE is not allowed: every answer counts all events',
  args: 'A table function is not allowed: read from events, persons, person_distinct_ids, groups, cohorts, cohort_people, cohort_groups or sessions',
  recursive: 'WITH RECURSIVE is not allowed',
  fetch: 'FETCH is not allowed: write LIMIT',
  locks: 'FOR UPDATE is not allowed: a question only reads',
  top: 'TOP is not allowed: write LIMIT',
  lateral: 'LATERAL is not allowed',
  lateral_views: 'LATERAL VIEW is not allowed',
  columns: 'Names of columns after an alias are not allowed: name the columns in the SELECT',
  with_fill: 'WITH FILL is not allowed',
  interpolate: 'INTERPOLATE is not allowed',
  filter: 'FILTER is not allowed: write countIf(condition), sumIf(value, condition)',
  opt_replace: '* REPLACE is not allowed: name the columns',
  escape_char: 'ESCAPE is not allowed: a backslash makes % and _ plain characters',
  clauses: 'ORDER BY, LIMIT and the like are not allowed inside of a function',
  pipe_operators: '|> is not allowed: write a SELECT',
  connect_by: 'CONNECT BY is not allowed',
};

export type NodeFields = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is NodeFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One of several alternatives. The parser writes it as its name, or as an object with the name as its only key. */
interface Variant {
  readonly name: string;
  readonly content: unknown;
}

export const variantOf = (value: unknown): Variant => {
  if (typeof value === 'string') return { name: value, content: undefined };
  const [entry] = isNode(value) ? Object.entries(value) : [];
  return { name: entry?.[0] ?? '', content: entry?.[1] };
};

const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 'None' &&
  !(Array.isArray(value) && value.length === 0);

/** Returns the fields of a node of a known kind; throws if a field is set that `allowedNodes` does not list. */
export const fieldsOf = (kind: NodeKind, value: unknown, at: SourcePosition): NodeFields => {
  if (!isNode(value)) throw new Error(`the parser wrote no fields for ${kind}`);
  const known: readonly string[] = allowedNodes[kind];
  for (const [name, field] of Object.entries(value)) {
    if (!isSet(field) || known.includes(name) || positions.has(name)) continue;
    throw fault(
      nodeRefusals[name] ?? `${name.replaceAll('_', ' ').toUpperCase()} is not allowed here`,
      positionOf(field, positionOf(value, at)),
    );
  }
  return value;
};

export const nodesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The first position that is noted in a node. */
export const positionOf = (value: unknown, otherwise: SourcePosition): SourcePosition => {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.shift();
    if (Array.isArray(next)) pending.unshift(...(next as unknown[]).slice(0, 3));
    if (!isNode(next)) continue;
    const span = next.span;
    if (isNode(span) && isNode(span.start)) {
      const { line, column } = span.start as Partial<SourcePosition>;
      if (line !== undefined && column !== undefined && line > 0) return { line, column };
    }
    pending.unshift(...Object.values(next).filter((inner) => typeof inner === 'object'));
  }
  return otherwise;
};
