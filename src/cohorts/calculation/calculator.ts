import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { FilterCohorts } from '../../filters/filter-cohorts.js';
import { Projection } from '../../projection/projection.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { QueryTooExpensive } from '../../stores/clickhouse/errors.js';
import { compile } from '../../stores/clickhouse/sql.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { filtersIn, type Definition } from '../definition/definition.js';
import { analysisSql } from '../definition/members.sql.js';
import { readDefinition } from '../definition/read-definition.js';
import { writeMembersSql, writtenCountSql } from './calculation.sql.js';
import { calculationError } from './failure.js';
import { type Attempt } from './queue.js';

/** A background calculation may take longer than a question, and may wait longer for recent writes. */
const limits = { timeoutMs: 120_000, maxMemoryBytes: 3 * 1024 ** 3 };
const freshTries = 10;

/** The engine accepts every statement up to this many characters, whatever its content. */
const surelyCalculable = 20_000;

/** Finds the members of a cohort and writes them to ClickHouse, under a version that is not read yet. */
@Injectable()
export class Calculator {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterCohorts: FilterCohorts,
  ) {}

  /** Returns the number of members. */
  async calculate(project: ProjectContext, attempt: Attempt, now: Date, signal: AbortSignal): Promise<number> {
    const definition = readDefinition(attempt.filters ?? { properties: {} });
    await this.untilFresh(project, now, signal);
    const scope = await this.scopeOf(project, definition, now, { stored: true });
    signal.throwIfAborted();
    await this.clickhouse.insertSelected(writeMembersSql(definition, attempt, scope), { project, ...limits, signal });
    const rows = await this.clickhouse.query<{ count: number }>(writtenCountSql(project.id, attempt), {
      project,
      signal,
    });
    return rows[0]?.count ?? 0;
  }

  /**
   * Returns the scope in which a definition is evaluated. Refuses a definition that names unknown cohorts or invalid regular
   * expressions.
   */
  async scopeOf(
    project: ProjectContext,
    definition: Definition,
    now: Date,
    options: { readonly stored: boolean },
    attr = 'filters',
  ): Promise<CalculationScope> {
    const filters = { kind: 'group', combine: 'AND', parts: filtersIn(definition) } as const;
    const cohorts = await this.filterCohorts.resolve(project, filters, attr, { ...options, subject: 'The definition' });
    return { project, now, overridden: await this.projection.hasOverrides(project.id), cohorts };
  }

  /** Refuses a definition that the engine could not calculate even for few persons. Only long statements can fail like that. */
  async demandCalculable(definition: Definition, scope: CalculationScope, attr: string): Promise<void> {
    const statement = analysisSql(definition, scope);
    try {
      if (compile(statement).query.length > surelyCalculable)
        await this.clickhouse.query(statement, { project: scope.project });
    } catch (error) {
      if (!(error instanceof QueryTooExpensive)) throw error;
      const { detail } = calculationError(error, scope.now);
      throw new Problem(400, 'validation_error', 'too_expensive', detail, attr);
    }
  }

  private async untilFresh(project: ProjectContext, now: Date, signal: AbortSignal): Promise<void> {
    for (let tried = 0; tried < freshTries; tried += 1) {
      const { complete } = await this.projection.waitUntilFresh(project.id, now);
      if (complete) return;
      await sleep(100, undefined, { signal });
    }
  }
}
