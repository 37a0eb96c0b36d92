import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput, Problem } from '../../platform/errors/problem.js';
import { type Sql, empty } from '../../platform/clickhouse/sql.js';
import { assertFewLiterals } from '../compile/query.sql.js';
import { EventExpressionCompiler, type ExpressionUse } from '../compile/event-expressions.sql.js';
import { QueryFault } from '../fault.js';
import { type PropertyTypes, SqlStatement, type AskingScope } from '../statement.js';
import { type Expression, type Query } from '../tree.js';
import { AskingScopes } from './asking-scopes.js';
import { EngineFaults, problemAt } from './engine-faults.js';
import { assertAlone, expressionTokens } from './lone-expression.js';
import { KnownTypes, NotedProperties, PropertyTypeReader } from './property-type-reader.js';
import { QueryService } from './query.service.js';

/** An expression of the dialect about the events of an insight, as the client wrote it at `attr`. */
export interface WrittenExpression {
  readonly use: ExpressionUse;
  readonly text: string;
  readonly attr: string;
}

/** The moment of an insight, and the state of the projection that answers it. */
interface AskedInsight {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Null: the expressions are only checked. */
  readonly position: string | null;
  readonly overridden: boolean;
}

/** The expressions of an insight, compiled for statements that read events as `e`. */
export interface EventExpressionsInSql {
  /** Joins the events with what the expressions read of persons and groups. */
  readonly joins: Sql;
  /** By text. */
  readonly ofUse: Readonly<Record<ExpressionUse, ReadonlyMap<string, Sql>>>;
  /** Explains an error of the engine; null if there are no expressions. */
  readonly problemOf: ((error: unknown) => unknown) | null;
}

const none = { value: new Map(), condition: new Map(), aggregate: new Map() } as const;

export const noExpressions: EventExpressionsInSql = { joins: empty, ofUse: none, problemOf: null };

/** The limits of all expressions of one insight together, which statements write out several times. */
const most = { expressions: 50, characters: 10_000 } as const;

interface ReadExpression extends WrittenExpression {
  readonly expression: Expression;
}

@Injectable()
export class EventExpressions {
  constructor(
    private readonly queries: QueryService,
    private readonly scopes: AskingScopes,
    private readonly types: PropertyTypeReader,
    private readonly faults: EngineFaults,
  ) {}

  /** Parses, checks and compiles expressions with all limits of questions in SQL. */
  async compile(written: readonly WrittenExpression[], insight: AskedInsight): Promise<EventExpressionsInSql> {
    if (written.length === 0) return noExpressions;
    assertFew(written);
    const { project, now, signal, position, overridden } = insight;
    const questions: (ReadExpression & { readonly query: Query })[] = [];
    for (const one of written) {
      const query = await this.parsed(one, project, now);
      questions.push({ ...one, query, expression: expressionIn(query, one) });
    }
    const named = await this.scopes.lookUp(
      project,
      questions.map(({ query }) => query),
      signal,
    );
    const scope = { project, projectId: project.id, now, overridden, ...named };
    const types =
      position === null ? new KnownTypes(new Map()) : await this.typesIn(questions, scope, position, signal);
    return { ...compiled(questions, { ...scope, types }), problemOf: (error) => this.problemOf(error, questions) };
  }

  /** Names the expression in which the error of the engine has its place, or the first one. */
  private problemOf(error: unknown, questions: readonly (WrittenExpression & { readonly query: Query })[]): unknown {
    const problems = questions.map(({ query, attr }) => {
      const problem = this.faults.problemOf(error, query, attr, 'question');
      const isPlaced = problem instanceof Problem && problem.extra.line !== query.at.line;
      return { isPlaced, problem: withoutPosition(problem, attr) };
    });
    return (problems.find(({ isPlaced }) => isPlaced) ?? problems[0])?.problem;
  }

  private async typesIn(
    questions: readonly ReadExpression[],
    scope: Omit<AskingScope, 'types'>,
    position: string,
    signal: AbortSignal,
  ): Promise<PropertyTypes> {
    const noted = new NotedProperties();
    compiled(questions, { ...scope, types: noted });
    return this.types.read({ ...scope.project, signal }, noted.all, position);
  }

  private async parsed({ text, attr }: WrittenExpression, project: ProjectContext, now: Date): Promise<Query> {
    assertAlone(expressionTokens(text, attr).tokens, attr);
    try {
      return (await this.queries.checked({ text: `SELECT (\n${text}\n) FROM events`, values: {} }, project, now)).query;
    } catch (error) {
      throw named(error, attr);
    }
  }
}

const assertFew = (written: readonly WrittenExpression[]): void => {
  const [first] = written;
  const characters = written.reduce((sum, { text }) => sum + text.length, 0);
  if (!first || (written.length <= most.expressions && characters <= most.characters)) return;
  const { expressions, characters: texts } = most;
  throw invalidInput(
    `The question must have at most ${expressions} expressions, of ${texts.toLocaleString('en')} characters together`,
    first.attr,
  );
};

const expressionIn = ({ body }: Query, { attr }: WrittenExpression): Expression => {
  const [item, ...others] = body.kind === 'select' ? body.items : [];
  if (item?.kind === 'expression' && others.length === 0) return item.expression;
  throw invalidInput(`${attr} must be one expression`, attr);
};

const compiled = (
  questions: readonly ReadExpression[],
  scope: AskingScope,
): Pick<EventExpressionsInSql, 'joins' | 'ofUse'> => {
  const statement = new SqlStatement(scope);
  const compiler = new EventExpressionCompiler(statement);
  const ofUse = { value: new Map<string, Sql>(), condition: new Map<string, Sql>(), aggregate: new Map<string, Sql>() };
  for (const { expression, use, text, attr } of questions) {
    try {
      ofUse[use].set(text, compiler.compile(expression, use));
      assertFewLiterals(statement, expression.at);
    } catch (error) {
      throw named(error, attr);
    }
  }
  return { joins: compiler.joins, ofUse };
};

/** Names the parameter with the expression, in place of a position in a text that the client did not write. */
const named = (error: unknown, attr: string): unknown =>
  withoutPosition(error instanceof QueryFault ? problemAt(error.at, error.kind, error.detail, attr) : error, attr);

export const withoutPosition = (error: unknown, attr: string): unknown => {
  if (!(error instanceof Problem) || typeof error.extra.line !== 'number') return error;
  const detail = error.detail.replace(/^Line \d+, column \d+: /, '');
  return new Problem(error.status, error.type, error.code, `${attr}: ${detail}`, attr, error.headers);
};
