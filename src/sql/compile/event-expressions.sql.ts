import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { fault, quoted, type SourcePosition } from '../fault.js';
import { findFunction } from '../functions/find-function.js';
import { type SqlStatement } from '../statement.js';
import { joinsOfEvents, queriedEvents } from '../tables/events.sql.js';
import { type Inner, TableRows, joinedRowsOf } from '../tables/table.js';
import { type CallExpression, type Expression, type LambdaExpression, type NameExpression } from '../tree.js';
import { type CompiledExpression } from '../compiled.js';
import { expressionSql } from './expression.sql.js';
import { varying } from './extent.js';
import { asTextOf } from './numeric.sql.js';
import { FromTables } from './scope.js';
import { contextIn } from './select.sql.js';
import { isOfManyRows, isQuery, walk } from './walk.js';

/** An expression becomes a text or a condition for each event of an insight, or a number of several events. */
export type ExpressionUse = 'value' | 'condition' | 'aggregate';

/** The events `e` of the statement of an insight. Values of their persons and groups come from rows that are joined with them. */
class EventsOfInsight extends TableRows {
  constructor(statement: SqlStatement) {
    super(queriedEvents, statement, sql`e`);
  }

  protected override reference(inner: Inner, name: Sql): Sql {
    const rows = joinedRowsOf(inner);
    return rows ? sql`${rows}.${name}` : inner.sql;
  }

  get joins(): Sql {
    return joinsOfEvents(this.statement, this.joined);
  }
}

/** Compiles the expressions of one insight, which share the rows that are joined with its events. */
export class EventExpressionCompiler {
  private readonly rows: EventsOfInsight;
  private readonly sources = new FromTables();

  constructor(private readonly statement: SqlStatement) {
    this.rows = new EventsOfInsight(statement);
    this.sources.add({ called: 'events', rows: this.rows }, { line: 1, column: 1 });
  }

  /** To be read after all expressions are compiled. */
  get joins(): Sql {
    return this.rows.joins;
  }

  compile(expression: Expression, use: ExpressionUse): Sql {
    assertOfEvents(expression, use);
    const { statement } = this;
    const context = contextIn(this.sources, {
      statement,
      query: ({ at }) => refuseQuery(at),
      expression: expressionSql,
    });
    const clause = use === 'aggregate' ? 'select' : 'where';
    return forms[use](expressionSql(expression, { ...context, clause }));
  }
}

const forms: Readonly<Record<ExpressionUse, (compiled: CompiledExpression) => Sql>> = {
  value: (compiled) => sql`ifNull(toString(${asTextOf(compiled)}), '')`,
  condition: ({ sql: condition }) => sql`if(${condition}, true, false)`,
  aggregate: ({ sql: number }) => sql`toFloat64(${number})`,
};

const refuseQuery = (at: SourcePosition): never => {
  throw fault('An expression in an insight has no SELECT: ask in SQL', at);
};

/** Refuses what has no meaning beside the events of an insight, or would have another one in its list of persons. */
const assertOfEvents = (expression: Expression, use: ExpressionUse): void => {
  walk(expression, (node) => {
    if (isQuery(node)) refuseQuery(node.at as SourcePosition);
    if (node.kind !== 'call') return true;
    const { name, over } = node as unknown as CallExpression;
    if (over !== null) throw fault('An expression in an insight has no OVER: ask in SQL', name.at);
    if (varying.test(name.text))
      throw fault(
        `${quoted(name.text)} is not possible in an insight: each event has one value, always the same`,
        name.at,
      );
    return true;
  });
  if (use !== 'aggregate') {
    if (!isOfManyRows(expression)) return;
    const example = use === 'value' ? 'properties.plan' : "properties.plan = 'pro'";
    throw fault(
      `An aggregate is not possible here: the expression is about one event, such as ${example}`,
      expression.at,
    );
  }
  const outside = namesOutsideAggregates(expression)[0];
  if (!isOfManyRows(expression))
    throw fault('The expression must make one number of several events, such as sum(properties.price)', expression.at);
  if (!outside) return;
  const name = quoted(outside.parts.map(({ text }) => text).join('.'));
  throw fault(`${name} must be inside of an aggregate, such as max(${name})`, outside.at);
};

const namesOutsideAggregates = (expression: Expression): readonly NameExpression[] => {
  const names: NameExpression[] = [];
  const own = new Set<string>();
  walk(expression, (node) => {
    if (node.kind === 'name') names.push(node as unknown as NameExpression);
    if (node.kind === 'lambda') for (const { text } of (node as unknown as LambdaExpression).parameters) own.add(text);
    return node.kind !== 'call' || findFunction((node as unknown as CallExpression).name.text)?.kind !== 'aggregate';
  });
  return names.filter(({ parts: [only, ...more] }) => !(only && more.length === 0 && own.has(only.text)));
};
