import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields, assertOnlyKeys, isFields, requireFields, requireObject } from '../../platform/fields/values.js';
import { field } from '../../platform/fields/field.js';
import { schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { type Params } from '../../filters/asking/questions.js';
import { type PlaceholderValues } from '../check/checking.js';
import { type NamedMatches } from './asking-scopes.js';
import { questionFiltersSchema, type SentFilters } from './question-filters.js';

export const queryFormats = ['json', 'csv', 'ndjson', 'parquet'] as const;

export type QueryFormat = (typeof queryFormats)[number];

export const maxRows = 50_000;
export const maxExportedRows = 1_000_000;
export const defaultRows = 100;

/** A question in SQL as the client sent it. */
export interface QueryInput {
  readonly text: string;
  readonly values: PlaceholderValues;
  /** The path of the text in the body, for messages. */
  readonly attr: string;
  readonly limit: number | null;
  readonly offset: number | null;
  readonly format: QueryFormat;
  /** Filters that the text names as if they were actions. */
  readonly matches?: NamedMatches;
  /** The filters for which `{filters}` stands; absent where the question is a plain text. */
  readonly filters?: SentFilters;
}

const example =
  'select event, count() from events where timestamp >= now() - interval 7 day group by event order by 2 desc';

export const queryParameters = {
  query: field.json(
    {
      description:
        'The question: one SELECT, or an object `{"kind":"HogQLQuery","query":"select …","values":{}}`, also as the `source` of a `DataTableNode` or a `DataVisualizationNode`. ' +
        'Dialect of ClickHouse; tables `events`, `persons`, `person_distinct_ids`, `groups`, `cohorts`, `cohort_people`, `cohort_groups`, `sessions`. At most 100 kB.',
      schema: {},
      example,
    },
    (value): unknown => value,
  ),
  values: field.json(
    {
      description:
        'The values of `{placeholders}` in the question: texts, numbers, booleans, nulls and lists of these.',
      schema: { type: 'object' },
      example: {},
    },
    (value, attr): PlaceholderValues => (value === undefined ? {} : requireObject(value, attr)),
  ),
  limit: field.integer({
    description: `Rows of the answer: ${defaultRows} by default, or those of the question’s own LIMIT, at most ${maxRows.toLocaleString('en')}; with another format than json at most ${maxExportedRows.toLocaleString('en')}.`,
    min: 1,
    max: maxExportedRows,
  }),
  offset: field.integer({ description: 'Rows to skip.', min: 0, max: 1_000_000_000 }),
  format: field.choice(queryFormats, {
    description: 'csv, ndjson and parquet send a file, without `limit` with all rows up to the maximum.',
    fallback: 'json',
  }),
};

const nodeKinds = ['DataTableNode', 'DataVisualizationNode'];

const select: Schema = {
  type: 'string',
  description: 'A SELECT.',
  example: "select id from persons where properties.plan = 'pro'",
};

const queryKind = 'HogQLQuery';

/** OpenAPI schemas of a query that is an object instead of a plain text. Its further keys are about its presentation. */
export const querySchemas: Schemas = {
  SqlQuery: {
    type: 'object',
    description: 'A question in SQL with values for its placeholders.',
    properties: {
      kind: { type: 'string', enum: [queryKind] },
      query: select,
      values: {
        type: 'object',
        additionalProperties: true,
        description: 'Values for the placeholders, such as `{plan}`.',
        example: { plan: 'pro' },
      },
      filters: questionFiltersSchema,
    },
    required: ['kind', 'query'],
    additionalProperties: true,
  },
  SqlQueryNode: {
    type: 'object',
    description: 'A question in SQL inside of what shows its answer.',
    properties: { kind: { type: 'string', enum: nodeKinds }, source: schemaNamed('SqlQuery') },
    required: ['kind', 'source'],
    additionalProperties: true,
  },
};

/** A question in SQL, in each of its forms. */
export const querySchema: Schema = { anyOf: [select, schemaNamed('SqlQuery'), schemaNamed('SqlQueryNode')] };

/** Keys of nodes that are about their presentation. */
const isPresentation = (key: string): boolean =>
  /^show|^(full|columns|hiddenColumns|pinnedColumns|display|chartSettings|tableSettings|embedded|context|contextKey|defaultColumns|expandable|allowSorting|propertiesViaUrl|name|tags|version|response|modifiers|client_query_id|explain)$/.test(
    key,
  );

export const readQueryInput = (params: Params): QueryInput => {
  const read = params.reader(queryParameters);
  const format = read('format');
  const limit = read('limit');
  if (limit !== null && format === 'json' && limit > maxRows) {
    throw invalidInput(
      `limit must be an integer from 1 to ${maxRows}; csv, ndjson and parquet have up to ${maxExportedRows}`,
      'limit',
    );
  }
  return { ...readSqlText(read('query'), 'query', read('values')), limit, offset: read('offset'), format };
};

/** Finds the text of the question in the body, either as plain text or inside of nested nodes. */
export const readSqlText = (
  value: unknown,
  attr: string,
  values: PlaceholderValues,
): Pick<QueryInput, 'text' | 'values' | 'attr' | 'filters'> => {
  if (value === undefined || value === null || value === '') throw required(attr);
  if (typeof value === 'string') return { text: value, values, attr };
  if (!isFields(value)) throw invalidInput(`${attr} must be a SELECT, or an object with kind and query`, attr);
  if (typeof value.kind === 'string' && nodeKinds.includes(value.kind)) {
    assertOnlyKeys(value, attr, { known: ['kind', 'source'], isIgnored: isPresentation });
    return readSqlText(value.source, `${attr}.source`, values);
  }
  if (value.kind !== queryKind) {
    throw invalidInput(`${attr}.kind must be HogQLQuery, DataTableNode or DataVisualizationNode`, `${attr}.kind`);
  }
  assertOnlyKeys(value, attr, {
    known: ['kind', 'query', 'values', 'variables', 'filters', ...absent],
    isIgnored: isPresentation,
  });
  assertNothingAbsent(value, attr);
  if (typeof value.query !== 'string' || value.query === '') throw required(`${attr}.query`);
  const own = value.values === undefined || value.values === null ? {} : requireObject(value.values, `${attr}.values`);
  const all = { ...values, ...own, ...readVariables(value.variables, `${attr}.variables`) };
  return {
    ...{ text: value.query, values: all, attr: `${attr}.query` },
    filters: { value: value.filters, attr: `${attr}.filters` },
  };
};

const noDatabases = 'there are no other databases here';

/** Keys of a question in SQL that the service lacks. The values that switch them off are accepted. */
export const absentInSql: Readonly<Record<string, string>> = {
  connectionId: noDatabases,
  sendRawQuery: noDatabases,
};

const absent = Object.keys(absentInSql);

const assertNothingAbsent = (query: Fields, attr: string): void => {
  for (const [name, reason] of Object.entries(absentInSql)) {
    const value = query[name];
    const isOff = !value || (isFields(value) && Object.keys(value).length === 0);
    if (!isOff) throw invalidInput(`${attr}.${name} is not supported: ${reason}`, `${attr}.${name}`);
  }
};

const variableFields = ['variableId', 'code_name', 'value', 'isNull'];

/** Reads the variables of the reference product: `{variables.plan}` stands for the value of the one whose code name is plan. */
const readVariables = (sent: unknown, attr: string): PlaceholderValues =>
  Object.fromEntries(
    Object.entries(sent === undefined || sent === null ? {} : requireObject(sent, attr)).map(([id, one]) => {
      const path = `${attr}.${id.slice(0, 100)}`;
      const { code_name: name, value, isNull } = requireFields(one, path, variableFields);
      if (typeof name !== 'string' || name === '') throw required(`${path}.code_name`);
      if (value === undefined && isNull !== true) throw required(`${path}.value`);
      return [`variables.${name}`, isNull === true ? null : value];
    }),
  );
