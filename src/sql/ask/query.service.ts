import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { SharedWork } from '../../platform/work/shared-work.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { statementKey } from '../../filters/asking/questions.js';
import { everything } from '../../filters/reading/filter.js';
import { mixedTypes, type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Sql, identifier, join, sql } from '../../platform/clickhouse/sql.js';
import { check } from '../check/check.js';
import { type CompiledQuery } from '../compiled.js';
import { compileQuestion, limitsOf, type RowRange } from '../compile/query.sql.js';
import { SqlStatement } from '../statement.js';
import { QueryFault } from '../fault.js';
import { QueryParser } from '../parse/parser.js';
import { type OwnedProperty } from '../tables/property-types.sql.js';
import { type Query } from '../tree.js';
import { type QueryInput, defaultRows, maxExportedRows, maxRows } from './query-input.js';
import { AskingScopes, type NamedMatches, type OpenedScope } from './asking-scopes.js';
import { readCompact } from './compact-answer.js';
import { EngineFaults, problemAt } from './engine-faults.js';
import { estimateSql, type Estimate } from './estimate.sql.js';
import { namesCompared } from './names-compared.js';
import { namesInQuery, type NamesInQuery } from './names-in-query.js';
import { namesFilters, readQuestionFilters } from './question-filters.js';
import { NotedProperties, PropertyTypeReader } from './property-type-reader.js';

/** The formats in which the engine can write an answer. */
const formats = {
  JSONCompact: sql`FORMAT JSONCompact`,
  JSONCompactEachRow: sql`FORMAT JSONCompactEachRow`,
  Parquet: sql`FORMAT Parquet`,
} as const satisfies Record<string, Sql>;

type AnswerFormat = keyof typeof formats;

/** The project that asks a question, the moment of the request, and the signal that ends its computation. */
export interface Asking {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface AnswerInJson {
  readonly asOf: Date;
  /** The number of rows. */
  readonly count: number;
  readonly pieces: readonly [head: string, rows: Buffer, tail: string];
}

/** A question that is ready for the engine. */
export interface ReadyQuestion extends CompiledQuery {
  readonly scope: OpenedScope;
  readonly page: RowRange;
  /** The checked tree of the question, which gives faults their positions. */
  readonly query: Query;
  /** Properties of which some values are numbers and some are not. */
  readonly mixed: readonly OwnedProperty[];
}

const maxMixedWarnings = 10;

@Injectable()
export class QueryService implements OnModuleInit {
  private readonly work = new SharedWork();
  private parser: QueryParser | null = null;

  constructor(
    private readonly scopes: AskingScopes,
    private readonly clickhouse: ClickHouse,
    private readonly faults: EngineFaults,
    private readonly questionWarnings: QuestionWarnings,
    private readonly types: PropertyTypeReader,
  ) {}

  async onModuleInit(): Promise<void> {
    this.parser = await QueryParser.open();
  }

  /** Answers a question in pieces of JSON, in which the rows stay the bytes that the engine wrote. */
  async answer(input: QueryInput, asking: Asking): Promise<AnswerInJson> {
    const startedAt = performance.now();
    const ready = await this.prepare(input, asking, 1);
    const { limit, offset } = ready.page;
    const [answer, warnings] = await Promise.all([
      this.send(ready, input, asking, 'JSONCompact'),
      this.warnings(ready, asking),
    ]);
    const { types, rows, count, hasMore, rowsRead } = readCompact(answer, limit);
    const head = {
      columns: ready.outputs.map(({ name }) => name),
      types: ready.outputs.map(({ name }, at) => [name, types[at] ?? '']),
      hasMore,
      limit,
      offset,
      as_of: ready.scope.asOf.toISOString(),
      elapsed_ms: Math.round(performance.now() - startedAt),
      rows_read: rowsRead,
      ...(warnings.length > 0 && { warnings }),
    };
    return { asOf: ready.scope.asOf, count, pieces: [`${JSON.stringify(head).slice(0, -1)},"results":[`, rows, ']}'] };
  }

  private async warnings({ query, mixed }: ReadyQuestion, { project, signal }: Asking): Promise<QuestionWarningDto[]> {
    const { events, properties } = namesCompared(query);
    const matches = events.map((event) => ({ event, filter: everything }));
    const named = await this.questionWarnings.of({ ...project, signal }, { matches, filters: [], properties });
    return [...named, ...mixed.slice(0, maxMixedWarnings).map(mixedTypes)];
  }

  /** Throws if the question could not be answered, without answering it; otherwise returns the names in it. */
  async check(input: QueryInput, asking: Asking): Promise<NamesInQuery> {
    const ready = await this.prepare(input, asking, 0);
    await this.estimate(ready, input, asking);
    return namesInQuery(ready.query);
  }

  /**
   * Parses, checks and compiles a question. The statement returns `more` rows beyond the page, which tell if the answer goes on.
   */
  async prepare(input: QueryInput, { project, now, signal }: Asking, more: number): Promise<ReadyQuestion> {
    try {
      const { query, matches } = await this.checked(input, project, now);
      const opened = await this.scopes.open(project, query, now, signal, matches);
      const page = rowRangeOf(input, query);
      const limit = page.limit + (page.isOpen ? more : 0);
      const rows = { limit, offset: page.offset };
      const { scope, mixed } = await this.typed(query, rows, opened, signal);
      return { ...compileQuestion(query, rows, new SqlStatement(scope)), scope, page, query, mixed };
    } catch (error) {
      throw problemOf(error, input.attr);
    }
  }

  /** Compiles a question for all rows of its own LIMIT. */
  async prepareAll(
    input: QueryInput,
    { project, now, signal }: Asking,
  ): Promise<CompiledQuery & { readonly query: Query }> {
    try {
      const { query, matches } = await this.checked(input, project, now);
      const opened = await this.scopes.open(project, query, now, signal, matches);
      const { limit, offset } = limitsOf(query);
      const page = { limit: limit ?? Number.MAX_SAFE_INTEGER, offset };
      const { scope } = await this.typed(query, page, opened, signal);
      return { ...compileQuestion(query, page, new SqlStatement(scope)), query };
    } catch (error) {
      throw problemOf(error, input.attr);
    }
  }

  /** Looks up the types of the properties that the question reads, which only its compiler tells. */
  private async typed(
    query: Query,
    rows: RowRange,
    opened: OpenedScope,
    signal: AbortSignal,
  ): Promise<{ readonly scope: OpenedScope; readonly mixed: readonly OwnedProperty[] }> {
    const noted = new NotedProperties();
    compileQuestion(query, rows, new SqlStatement({ ...opened, types: noted }));
    if (noted.all.length === 0) return { scope: opened, mixed: [] };
    // Lets other requests be served.
    await yieldToEventLoop();
    const types = await this.types.read({ ...opened.project, signal }, noted.all, opened.position);
    const mixed = noted.all.filter(({ owner, key }) => types.of(owner, key) === 'mixed');
    return { scope: { ...opened, types }, mixed };
  }

  /** Sends a question to the engine; equal questions in progress are computed once. */
  async send(
    { sql: statement, scope, query }: ReadyQuestion,
    input: QueryInput,
    { project, signal }: Asking,
    format: AnswerFormat,
  ): Promise<Buffer> {
    try {
      const key = `${format}\n${statementKey(scope.projectId, scope.position, statement)}`;
      return await this.work.share(key, signal, (stop) =>
        this.clickhouse.bytes(sql`${statement}\n${formats[format]}`, {
          project: { id: project.id },
          signal: stop,
          timezone: project.timezone,
          maxResultRows: input.format === 'json' ? maxRows + 1 : maxExportedRows,
        }),
      );
    } catch (error) {
      throw this.faults.problemOf(error, query, input.attr, 'question');
    }
  }

  /** Renames the columns of an answer. */
  named(ready: ReadyQuestion, names: readonly string[]): ReadyQuestion {
    const columns = ready.outputs.map(({ sql: column }, at) => sql`${column} AS ${identifier(names[at] ?? '')}`);
    return { ...ready, sql: sql`SELECT ${join(columns)} FROM (${ready.sql})` };
  }

  /** The rows and parts of each table that the engine would read. */
  async estimate(
    { sql: statement, query }: ReadyQuestion,
    input: QueryInput,
    { project, signal }: Asking,
  ): Promise<readonly Estimate[]> {
    try {
      return await this.clickhouse.query(estimateSql(this.clickhouse.form, statement), {
        project,
        signal,
        timezone: project.timezone,
      });
    } catch (error) {
      throw this.faults.problemOf(error, query, input.attr, 'explain');
    }
  }

  /** Reads a question, and refuses what no question may have. */
  async checked(
    { text, values, matches, filters }: Pick<QueryInput, 'text' | 'values' | 'matches' | 'filters'>,
    project: ProjectContext,
    now: Date,
  ): Promise<{ readonly query: Query; readonly matches: NamedMatches | undefined }> {
    if (!this.parser) throw new Error('the parser is not open yet');
    this.clickhouse.runaways.assertFew(project.id);
    const parsed = await this.parser.parse(text, project.id);
    // Lets other requests be served.
    await yieldToEventLoop();
    const filtered = filters && readQuestionFilters(filters, project, now);
    if (filters && filtered?.haveEffect && !namesFilters(parsed.markers))
      throw invalidInput(
        `${filters.attr} have no effect: write {filters} where they belong, such as WHERE {filters}`,
        filters.attr,
      );
    const query = check(parsed, { ...values, ...filtered?.values });
    await yieldToEventLoop();
    return { query, matches: filtered?.matches ?? matches };
  }
}

interface OpenRange extends RowRange {
  /** True if rows after the page would belong to the answer. */
  readonly isOpen: boolean;
}

/**
 * Computes the page of an answer. If the question has a LIMIT of its own, the request pages through the rows that this LIMIT
 * allows.
 */
export const rowRangeOf = ({ limit, offset, format }: QueryInput, query: Query): OpenRange => {
  const isJson = format === 'json';
  const most = isJson ? maxRows : maxExportedRows;
  const own = limitsOf(query);
  const input = limit ?? own.limit ?? (isJson ? defaultRows : most);
  const left = own.limit === null ? Infinity : Math.max(0, own.limit - (offset ?? 0));
  const isPaged = limit !== null || offset !== null;
  return {
    limit: Math.min(input, left, most),
    offset: own.offset + (offset ?? 0),
    isOpen: !isPaged || Math.min(input, most) < left,
  };
};

export const problemOf = (error: unknown, attr: string): unknown =>
  error instanceof QueryFault ? problemAt(error.at, error.kind, error.detail, attr) : error;
