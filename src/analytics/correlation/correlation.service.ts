import { Injectable } from '@nestjs/common';
import { propertyOfPath } from '../../kernel/projection/schema/property.sql.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { type Answer } from '../shared/insight-responder.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { layoutOf, type Layout } from '../funnel/layout.sql.js';
import { type CorrelationDto, type CorrelationRowDto } from './correlation.dto.js';
import { filtersOfCorrelation, readCorrelation, type CorrelationQuery } from './correlation.query.js';
import {
  correlatedEventPropertiesSql,
  correlatedEventsSql,
  correlatedPropertiesSql,
  correlationActorsSql,
  eventKeysSql,
  personKeysSql,
  totalsSql,
  type Totals,
} from './correlation.sql.js';

interface Row {
  readonly event: string;
  readonly property: string;
  readonly value: string;
  readonly success_count: number;
  readonly failure_count: number;
  readonly odds_ratio: number;
}

interface CorrelationQuestion {
  readonly q: CorrelationQuery;
  readonly layout: Layout;
  readonly scope: QuestionScope;
}

@Injectable()
export class CorrelationService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer> {
    const q = await this.scopes.read(readCorrelation, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfCorrelation(q), now, signal, q.funnel);
    const layout = layoutOf(q.funnel, await this.scopes.resolveRange(scope, q.funnel.range));
    const actors = () => correlationActorsSql(layout, q.persons, scope);
    return {
      scope,
      entities: q.funnel.steps,
      insight: () => this.insight({ q, layout, scope }),
      persons: q.funnel.steps.length === 0 ? null : { list: { actors: actors(), order: null }, extra: () => ({}) },
    };
  }

  private async insight(question: CorrelationQuestion): Promise<CorrelationDto> {
    const { q, layout, scope } = question;
    const { success, failure } = await this.totals(question);
    const skewed = success === 0 || failure === 0;
    const rows = skewed ? [] : await this.rows(question, { success, failure });
    return {
      kind: 'correlation',
      ...insightHead(scope, layout.range),
      interval: q.funnel.interval,
      correlations: rows.map((row) => rowDto(q, row)),
      success_total: success,
      failure_total: failure,
      skewed,
    };
  }

  private async totals({ q, layout, scope }: CorrelationQuestion): Promise<Totals> {
    const rows = q.funnel.steps.length === 0 ? [] : await this.questions.ask<Totals>(scope, totalsSql(layout, scope));
    return rows[0] ?? { success: 0, failure: 0 };
  }

  private async rows(
    { q: { correlated }, layout, scope }: CorrelationQuestion,
    totals: Totals,
  ): Promise<readonly Row[]> {
    switch (correlated.type) {
      case 'events':
        return this.questions.ask<Row>(scope, correlatedEventsSql(layout, correlated.exclude, totals, scope));
      case 'properties': {
        const { names, exclude } = correlated;
        const keys = names ?? (await this.keys(scope, personKeysSql(layout, scope), exclude));
        const properties = { keys, missing: names !== null };
        if (keys.length === 0) return [];
        return this.questions.ask<Row>(scope, correlatedPropertiesSql(layout, properties, totals, scope));
      }
      case 'event_with_properties': {
        const { events, exclude } = correlated;
        const keys = await this.keys(scope, eventKeysSql(layout, events, scope), exclude);
        if (keys.length === 0) return [];
        return this.questions.ask<Row>(scope, correlatedEventPropertiesSql(layout, { events, keys }, totals, scope));
      }
    }
  }

  private async keys(scope: QuestionScope, statement: Sql, exclude: readonly string[]): Promise<readonly string[]> {
    const paths = await this.questions.ask<{ path: string }>(scope, statement);
    return paths.map(({ path }) => propertyOfPath(path)).filter((key) => !exclude.includes(key));
  }
}

const rowDto = ({ correlated: { type } }: CorrelationQuery, row: Row): CorrelationRowDto => ({
  event: type === 'properties' ? null : row.event,
  property: type === 'events' ? null : row.property,
  value: type === 'events' ? null : row.value,
  success_count: row.success_count,
  failure_count: row.failure_count,
  odds_ratio: row.odds_ratio,
  correlation_type: row.odds_ratio > 1 ? 'success' : 'failure',
});
