import { type ProjectContext } from '../../kernel/access/project-context.js';
import { FreshData } from '../../kernel/projection/fresh-data.js';
import { Projection } from '../../kernel/projection/projection.js';
import { type Sql, compile, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { type Definition, filtersIn, groupTypesIn } from '../definition/definition.js';
import { analysisSql, membersSql } from '../definition/members.sql.js';
import { chunkSize } from '../../kernel/memberships/member-chunks.js';
import { type Membership } from '../../kernel/memberships/members.sql.js';
import { Injectable } from '@nestjs/common';
import { ActionLookup } from '../../filters/actions/action-lookup.js';
import { Problem } from '../../platform/errors/problem.js';
import { type CohortMemberships } from '../../filters/compile/compile.sql.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { readDefinition } from '../definition/read-definition.js';
import { type CalculatedMembers } from '../../kernel/memberships/record-members.js';
import { calculationError } from './failure.js';
import { type Attempt } from '../record/calculations.repository.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';

export const writeMembersSql = (definition: Definition, membership: Membership, scope: CalculationScope): Sql => sql`
  INSERT INTO cohort_members (project_id, cohort_id, version, actor)
  SELECT ${unsigned(scope.project.id)}, ${unsigned(membership.id)}, ${unsigned(membership.version)}, members.actor
  FROM (${membersSql(definition, scope)}) AS members`;

/**
 * Selects the written members as chunks of bits, in hexadecimal digits, so that few rows contain many persons. Each word of 64
 * bits is written with its lowest byte first, so the lowest bit of the first byte is the first person of the chunk.
 */
export const writtenChunksSql = (projectId: number, { id, version }: Membership): Sql => {
  const [size, word] = [unsigned(chunkSize), unsigned(64)];
  return sql`
    SELECT chunk, arrayStringConcat(arrayMap(w -> hex(reinterpretAsFixedString(w)), words)) AS bits
    FROM (
      SELECT chunk, groupArrayInsertAt(toUInt64(0), 16)(bits, toUInt32(word)) AS words
      FROM (
        SELECT intDiv(actor, ${size}) AS chunk, intDiv(actor % ${size}, ${word}) AS word,
          groupBitOr(bitShiftLeft(toUInt64(1), toUInt8(actor % ${word}))) AS bits
        FROM cohort_members
        WHERE project_id = ${unsigned(projectId)} AND cohort_id = ${unsigned(id)} AND version = ${unsigned(version)} AND actor > 0
        GROUP BY chunk, word)
      GROUP BY chunk)`;
};

/** Higher limits than those of a question, because a calculation runs in the background. */
export const calculationLimits = { timeoutMs: 120_000, maxMemoryBytes: 3 * 1024 ** 3 };

/** The engine accepts every statement of at most this many characters, whatever it contains. */
const surelyCalculable = 20_000;

/** Finds the members of a cohort and writes them to ClickHouse, under a version that no question reads yet. */
@Injectable()
export class Calculator {
  private readonly fresh: FreshData;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
    private readonly actions: ActionLookup,
  ) {
    this.fresh = new FreshData(projection);
  }

  /** Reads a definition with the steps that its actions have now. */
  readDefinition(
    project: ProjectContext,
    filters: object,
    { attr = 'filters', groupType }: { readonly attr?: string; readonly groupType: number | null },
  ): Promise<Definition> {
    return this.actions.reading(project, (actions) => readDefinition(filters, attr, actions, groupType));
  }

  async calculate(
    project: ProjectContext,
    attempt: Attempt,
    now: Date,
    signal: AbortSignal,
  ): Promise<CalculatedMembers> {
    const definition = await this.readDefinition(project, attempt.filters ?? { properties: {} }, attempt);
    const asOf = await this.fresh.until(project, now, signal);
    const scope = await this.scopeOf(project, definition, now, attempt.groupType);
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
  async scopeOf(
    project: ProjectContext,
    definition: Definition,
    now: Date,
    groupType: number | null,
  ): Promise<CalculationScope> {
    const cohorts = await this.cohortsIn(project, definition, 'filters', { stored: true, groupType });
    return this.scopeWith(project, now, cohorts, groupType);
  }

  async scopeWith(
    project: ProjectContext,
    now: Date,
    cohorts: CohortMemberships,
    groupType: number | null,
  ): Promise<CalculationScope> {
    const overridden = await this.projection.hasOverrides(project.id, await this.projection.position());
    return { project, now, overridden, cohorts, groupType };
  }

  /** Refuses a type of groups that the project does not have. */
  async assertGroupType(project: ProjectContext, groupType: number | null): Promise<void> {
    if (groupType !== null)
      await this.filterChecks.assertGroupTypes(project, [{ index: groupType, at: 'group_type_index' }]);
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
    { attr, groupType }: { readonly attr: string; readonly groupType: number | null },
  ): Promise<CohortMemberships> {
    await this.assertGroupType(project, groupType);
    const cohorts = await this.cohortsIn(project, definition, attr, { stored: false, groupType });
    // The check is done as if there were overrides, with which the statement is longer.
    const scope: CalculationScope = { project, now, overridden: true, cohorts, groupType };
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

  private async cohortsIn(
    project: ProjectContext,
    definition: Definition,
    attr: string,
    { stored, groupType }: { readonly stored: boolean; readonly groupType: number | null },
  ): Promise<CohortMemberships> {
    await this.filterChecks.assertGroupTypes(project, groupTypesIn(definition));
    const filters = { kind: 'group', combine: 'AND', parts: filtersIn(definition) } as const;
    const tested = groupType ?? 'events';
    return this.filterChecks.resolve(project, filters, attr, { stored, tested, subject: 'The definition' });
  }
}

/** No question reads the version that it started with for longer than this. */
const readersMs = 120_000;
const cohortsAtOnce = 50;

interface Outdated {
  readonly project_id: number;
  readonly id: number;
  readonly version: number;
}

const outdated = (until: Date): PgSql => pgSql`
  SELECT project_id, id, version FROM cohorts
  WHERE NOT is_static AND version IS NOT NULL AND swept_version < version AND last_attempt_at <= ${bound(until)}
  ORDER BY project_id, id LIMIT ${bound(cohortsAtOnce)}`;

/** Removes the members of earlier versions, once no question can still be reading them. */
export const removeOutdatedMembers = async (postgres: Postgres, clickhouse: ClickHouse, now: Date): Promise<number> => {
  const { rows } = await postgres.query<Outdated>(outdated(new Date(now.getTime() - readersMs)));
  for (const projectId of new Set(rows.map(({ project_id }) => project_id))) {
    const cohorts = rows.filter(({ project_id }) => project_id === projectId);
    const older = cohorts.map(
      ({ id, version }) => sql`(cohort_id = ${unsigned(id)} AND version < ${unsigned(version)})`,
    );
    const members = sql`project_id = ${unsigned(projectId)} AND (${join(older, sql` OR `)})`;
    await removeWhere(clickhouse, 'cohort_members', members);
    for (const { id, version } of cohorts) {
      await postgres.query(
        pgSql`UPDATE cohorts SET swept_version = ${bound(version)} WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
      );
    }
  }
  return rows.length;
};
