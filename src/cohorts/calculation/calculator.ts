import { Injectable } from '@nestjs/common';
import { ActionLookup } from '../../filters/actions/action-lookup.js';
import { Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type CohortMemberships } from '../../filters/compile/cohort-memberships.js';
import { FilterCohorts } from '../../filters/checks/filter-cohorts.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { compile } from '../../platform/clickhouse/sql.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { filtersIn, type Definition } from '../definition/definition.js';
import { analysisSql } from '../definition/members.sql.js';
import { readDefinition } from '../definition/read-definition.js';
import { type CalculatedMembers } from '../../kernel/memberships/record-switch.js';
import { writeMembersSql, writtenChunksSql } from './calculation.sql.js';
import { calculationError } from './failure.js';
import { FreshData } from './fresh-data.js';
import { type Attempt } from '../record/calculations.repository.js';

/** A background calculation may take longer than a question. */
export const calculationLimits = { timeoutMs: 120_000, maxMemoryBytes: 3 * 1024 ** 3 };

/** The engine accepts every statement up to this many characters, whatever its content. */
const surelyCalculable = 20_000;

/** Finds the members of a cohort and writes them to ClickHouse, under a version that is not read yet. */
@Injectable()
export class Calculator {
  private readonly fresh: FreshData;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterCohorts: FilterCohorts,
    private readonly actions: ActionLookup,
  ) {
    this.fresh = new FreshData(projection);
  }

  /** Reads a definition with the steps that its actions have now. */
  readDefinition(project: ProjectContext, filters: object, attr = 'filters'): Promise<Definition> {
    return this.actions.reading(project, (actions) => readDefinition(filters, attr, actions));
  }

  async calculate(
    project: ProjectContext,
    attempt: Attempt,
    now: Date,
    signal: AbortSignal,
  ): Promise<CalculatedMembers> {
    const definition = await this.readDefinition(project, attempt.filters ?? { properties: {} });
    const asOf = await this.fresh.until(project, now, signal);
    const scope = await this.scopeOf(project, definition, now);
    signal.throwIfAborted();
    await this.clickhouse.insertSelected(writeMembersSql(definition, attempt, scope), {
      project,
      ...calculationLimits,
      signal,
    });
    const rows = await this.clickhouse.query<{ chunk: number; bits: string }>(writtenChunksSql(project.id, attempt), {
      project,
      signal,
    });
    return { asOf, members: new Map(rows.map(({ chunk, bits }) => [Number(chunk), Buffer.from(bits, 'hex')])) };
  }

  /** Returns the scope in which a stored definition is evaluated. */
  async scopeOf(project: ProjectContext, definition: Definition, now: Date): Promise<CalculationScope> {
    return this.scopeWith(project, now, await this.cohortsIn(project, definition, 'filters', { stored: true }));
  }

  async scopeWith(project: ProjectContext, now: Date, cohorts: CohortMemberships): Promise<CalculationScope> {
    return { project, now, overridden: await this.projection.hasOverrides(project.id), cohorts };
  }

  /**
   * Refuses a new definition that names unknown cohorts or invalid regular expressions, or that the engine could not calculate
   * even for few persons. Returns the cohorts that the definition names. ClickHouse checks only regular expressions and very
   * long statements, so most definitions can be saved while it is down.
   */
  async requireCalculable(
    project: ProjectContext,
    definition: Definition,
    now: Date,
    attr: string,
  ): Promise<CohortMemberships> {
    const cohorts = await this.cohortsIn(project, definition, attr, { stored: false });
    // With overrides the statement is longer.
    const scope: CalculationScope = { project, now, overridden: true, cohorts };
    const statement = analysisSql(definition, scope);
    try {
      if (compile(statement).query.length > surelyCalculable)
        await this.clickhouse.query(statement, { project: scope.project });
    } catch (error) {
      if (!(error instanceof QueryTooExpensive)) throw error;
      const { detail } = calculationError(error, scope.now);
      throw new Problem(400, 'validation_error', 'too_expensive', detail, attr);
    }
    return cohorts;
  }

  private cohortsIn(
    project: ProjectContext,
    definition: Definition,
    attr: string,
    options: { readonly stored: boolean },
  ): Promise<CohortMemberships> {
    const filters = { kind: 'group', combine: 'AND', parts: filtersIn(definition) } as const;
    return this.filterCohorts.resolve(project, filters, attr, { ...options, subject: 'The definition' });
  }
}
