import { Injectable } from '@nestjs/common';
import { ActionLookup } from '../../filters/actions/action-lookup.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type DateRange, type TimeRange } from '../../platform/time/range.js';
import { type MemberHistory } from '../../kernel/memberships/member-histories.js';
import { historyJoins } from '../../kernel/memberships/members.sql.js';
import { type Filter, leavesOf, maxAlternatives } from '../../filters/reading/filter.js';
import {
  type CohortMemberships,
  type FilterScope,
  eventScope,
  filterSql,
  groupOfType,
} from '../../filters/compile/compile.sql.js';
import { FilterChecks, type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { eventsFrom, eventsOfProject, resolvedActor } from '../../kernel/projection/actors.sql.js';
import { Projection } from '../../kernel/projection/projection.js';
import { type Sql, instant, join, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { earliestEventSql } from './earliest.sql.js';
import { type Params, type QuestionOrigin, Questions } from '../../filters/asking/questions.js';
import {
  EventExpressions,
  type EventExpressionsInSql,
  type WrittenExpression,
} from '../../sql/ask/event-expressions.js';
import { type ExpressionUse } from '../../sql/compile/event-expressions.sql.js';

/** Everything that a SQL builder needs in addition to the typed query. */
export interface QuestionScope extends QuestionOrigin {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly asOf: Date;
  readonly overridden: boolean;
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  /** All filters of the question. */
  readonly filters: readonly Filter[];
  readonly cohorts: CohortMemberships;
  /** The histories of the cohorts whose members at the time of an event the question asks for. */
  readonly histories: readonly MemberHistory[];
  /** The expressions that the client wrote. */
  readonly expressions: EventExpressionsInSql;
}

/** The parts of a question, beside its filters, that the databases decide. */
export interface QuestionForm {
  /** True if the insight can answer who was in a cohort at the time of an event. */
  readonly atEvent?: boolean;
  /** The index of the type of the groups that the question counts; null or missing: it counts persons. */
  readonly groupType?: number | null;
  /** Other types of groups that the question names outside of filters. */
  readonly namedTypes?: readonly NamedGroupType[];
  /** The expressions that the client wrote outside of filters. */
  readonly written?: readonly WrittenExpression[];
}

/** Limits the events of a question by counting filters: each event has one filter, even if the filter is empty. */
const assertFewAlternatives = (filters: readonly Filter[]): void => {
  if (filters.length <= maxAlternatives) return;
  throw invalidInput(
    `The question must name at most ${maxAlternatives} events; each alternative in any_of and each step of an action counts`,
    'events',
  );
};

@Injectable()
export class QuestionScopes {
  constructor(
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
    private readonly questions: Questions,
    private readonly actions: ActionLookup,
    private readonly expressions: EventExpressions,
  ) {}

  /** Reads the question, and looks up the actions that it names. */
  read<Query>(
    readQuery: (params: Params, project: ProjectContext, now: Date) => Query,
    { project, params, now }: { readonly project: ProjectContext; readonly params: Params; readonly now: Date },
  ): Promise<Query> {
    return this.actions.reading(project, (actions) => readQuery(params.withActions(actions), project, now));
  }

  /** Refuses what the databases cannot answer, before a question is saved. */
  async check(project: ProjectContext, filters: readonly Filter[], form: QuestionForm, now: Date): Promise<void> {
    const { signal = new AbortController().signal } = project;
    await this.resolve(project, filters, signal, form);
    const insight = { project, now, signal, position: null, overridden: false };
    await this.expressions.compile(writtenIn(filters, form), insight);
  }

  /** Looks up the cohorts that filters name, and refuses filters that the databases cannot answer. */
  private async resolve(
    project: ProjectContext,
    filters: readonly Filter[],
    signal: AbortSignal,
    { atEvent, groupType = null, namedTypes = [] }: QuestionForm,
  ): Promise<CohortMemberships> {
    assertFewAlternatives(filters);
    const counted = groupType === null ? [] : [{ index: groupType, at: 'aggregation_group_type_index' }];
    await this.filterChecks.assertGroupTypes(project, [...counted, ...namedTypes]);
    const all = { kind: 'group', combine: 'AND', parts: filters } as const;
    return this.filterChecks.resolve(project, all, 'properties', { signal, atEvent, expressions: true });
  }

  /** Waits until the projection has everything written before the question, and looks up the cohorts that filters name. */
  async open(
    project: ProjectContext,
    filters: readonly Filter[],
    now: Date,
    signal: AbortSignal,
    form: QuestionForm = {},
  ): Promise<QuestionScope> {
    const cohorts = await this.resolve(project, filters, signal, form);
    const { asOf, position } = await this.projection.waitUntilFresh(project.id, now);
    const overridden = await this.projection.hasOverrides(project.id, position);
    const { groupType = null } = form;
    const insight = { project, now, signal, position, overridden };
    const expressions = await this.expressions.compile(writtenIn(filters, form), insight);
    const { problemOf } = expressions;
    const written = problemOf && { written: { timezone: project.timezone, problemOf } };
    const origin = { project, projectId: project.id, now, asOf, overridden, position, signal, ...written };
    return { ...origin, groupType, filters, cohorts, histories: [], expressions };
  }

  /** "All time" begins with the first event of the project; in a project without events the range is empty. */
  async resolveRange(scope: QuestionScope, range: DateRange): Promise<TimeRange> {
    if (range.from !== null) return { from: range.from, to: range.to };
    const [row] = await this.questions.ask<{ earliest: string | null }>(scope, earliestEventSql(scope.projectId));
    const from = row?.earliest ? new Date(row.earliest) : range.to;
    return { from: from < range.to ? from : range.to, to: range.to };
  }
}

const writtenIn = (filters: readonly Filter[], { written = [] }: QuestionForm): WrittenExpression[] => [
  ...written,
  ...filters.flatMap(leavesOf).flatMap((leaf) => {
    if (leaf.kind !== 'expression') return [];
    const attr = leaf.at === undefined ? 'properties' : `${leaf.at}.key`;
    return [{ use: 'condition' as const, text: leaf.text, attr }];
  }),
];

export const questionFilterScope = (scope: QuestionScope): FilterScope => {
  const { projectId, project, now, cohorts, overridden, expressions } = scope;
  const actor = resolvedActor({ overridden });
  const { condition } = expressions.ofUse;
  return eventScope({ projectId, now, timezone: project.timezone, actor, cohorts, expressions: condition });
};

/** An expression of the question, over an event `e` of `eventSource`. */
export const expressionOf = ({ expressions }: QuestionScope, use: ExpressionUse, text: string): Sql => {
  const found = expressions.ofUse[use].get(text);
  if (!found) throw new Error('An expression of the question was not compiled');
  return found;
};

export interface EventSelection {
  /** Null: all time. */
  readonly range: TimeRange | null;
  /** Null: any name. */
  readonly names: readonly string[] | null;
  readonly filter: Filter;
}

/** The FROM and WHERE clauses that read events as `e`, and the expressions of whom the question counts, and whose the event is. */
export interface EventSource {
  readonly from: Sql;
  readonly where: Sql;
  readonly actor: Sql;
  /** The person of an event or, for the index of a type, its group. */
  readonly whose: (groupType: number | null) => Sql;
}

export const eventSource = (scope: QuestionScope, { range, names, filter }: EventSelection): EventSource => {
  const conditions = [eventsOfProject(scope.projectId)];
  if (names !== null)
    conditions.push(names.length === 0 ? sql`false` : sql`e.event IN (${join(names.map((name) => text(name)))})`);
  if (range !== null)
    conditions.push(sql`e.timestamp >= ${instant(range.from)} AND e.timestamp <= ${instant(range.to)}`);
  conditions.push(filterSql(filter, questionFilterScope(scope)));
  const { groupType } = scope;
  const whose = (type: number | null): Sql => (type === null ? resolvedActor(scope) : groupOfType(sql`e.groups`, type));
  if (groupType !== null) conditions.push(sql`mapContains(e.groups, ${unsigned(groupType)})`);
  return {
    from: sql`${eventsFrom(scope.projectId, scope)}${historyJoins(scope.projectId, scope.histories, whose)}${scope.expressions.joins}`,
    where: join(conditions, sql` AND `),
    actor: whose(groupType),
    whose,
  };
};
