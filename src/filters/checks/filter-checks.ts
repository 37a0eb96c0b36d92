import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { InvalidRegex } from '../../platform/clickhouse/errors.js';
import { type CohortFilter, type Filter, type PropertyFilter, leavesOf } from '../reading/filter.js';
import { assertWithinLimits, isRegex } from '../reading/filter-limits.js';
import { regexCheckSql } from '../compile/regex.sql.js';
import { type CohortMemberships, type NamedCohort, noCohorts } from '../compile/compile.sql.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

const maxRemembered = 10_000;

interface Pattern {
  readonly pattern: string;
  readonly at: string;
}

/** Lets ClickHouse check regular expressions, because only RE2 can tell whether they are valid. */
export class RegexCheck {
  private readonly accepted = new Set<string>();

  constructor(private readonly clickhouse: ClickHouse) {}

  async check(project: ProjectContext, filter: Filter, attr: string, signal?: AbortSignal): Promise<void> {
    const unknown = new Map<string, Pattern>();
    for (const pattern of patternsOf(filter, attr)) {
      if (!this.accepted.has(pattern.pattern) && !unknown.has(pattern.pattern)) unknown.set(pattern.pattern, pattern);
    }
    await this.assertValid(project, [...unknown.values()], signal);
    if (this.accepted.size + unknown.size > maxRemembered) this.accepted.clear();
    for (const pattern of unknown.keys()) this.accepted.add(pattern);
  }

  /** Checks all patterns in one statement. If it fails, checks halves, which finds the first invalid pattern in a few statements. */
  private async assertValid(
    project: ProjectContext,
    patterns: readonly Pattern[],
    signal?: AbortSignal,
  ): Promise<void> {
    if (patterns.length === 0) return;
    const fault = await this.faultOf(project, patterns, signal);
    if (fault === null) return;
    const [first] = patterns;
    if (first && patterns.length === 1) {
      const detail = `${first.at} must be a regular expression that RE2 understands: ${fault}`;
      throw invalidInput(detail, first.at);
    }
    const half = Math.ceil(patterns.length / 2);
    await this.assertValid(project, patterns.slice(0, half), signal);
    await this.assertValid(project, patterns.slice(half), signal);
  }

  private async faultOf(
    project: ProjectContext,
    patterns: readonly Pattern[],
    signal?: AbortSignal,
  ): Promise<string | null> {
    try {
      const texts = patterns.map(({ pattern }) => pattern);
      await this.clickhouse.query(regexCheckSql(texts), { project, short: true, signal });
      return null;
    } catch (error) {
      if (!(error instanceof InvalidRegex)) throw error;
      return error.reason;
    }
  }
}

const patternsOf = (filter: Filter, attr: string): Pattern[] =>
  leavesOf(filter).flatMap((leaf) => (leaf.kind === 'property' && isRegex(leaf) ? placed(leaf, attr) : []));

const placed = ({ values, at, valueAt }: PropertyFilter, attr: string): Pattern[] =>
  values.map((value, index) => {
    const path = valueAt ?? (at === undefined ? attr : `${at}.value`);
    return { pattern: String(value), at: values.length === 1 ? path : `${path}.${index}` };
  });

interface ResolveOptions {
  /**
   * True for a stored filter, which was accepted before: its cohorts may have been deleted since, and still have their members.
   */
  readonly stored?: boolean;
  /** Aborts when no caller needs the answer any longer. */
  readonly signal?: AbortSignal;
  /** The owner of the filters, as the subject of an error message. */
  readonly subject?: string;
  /** True if the statement can answer who was in a cohort at the time of an event. */
  readonly atEvent?: boolean;
  /** True if the statement can have expressions of the client. */
  readonly expressions?: boolean;
  readonly tested?: Tested;
}

/** The rows that a filter tests: events with their persons and groups, persons alone, or the groups of the type with this index. */
export type Tested = 'events' | 'persons' | number;

/** Cohorts of one kind of member. */
const kindOf = (groupType: number | null): string =>
  groupType === null ? 'persons' : `groups of the type ${groupType}`;

/** Says why the members of a cohort cannot be what the filter tests; null if they can. */
const misfitOf = ({ cohortId, ofBreakdown = [] }: CohortFilter, groupType: number | null, tested: Tested) => {
  const has = `cohort ${cohortId} has ${kindOf(groupType)}`;
  if (typeof tested === 'number')
    return groupType === tested ? null : `must be the id of a cohort of ${kindOf(tested)}: ${has}`;
  if (tested === 'persons' && groupType !== null)
    return `must be the id of a cohort of persons: ${has}. A cohort of persons with a criterion of the type cohort that names it has the persons who belong to these groups`;
  const other = ofBreakdown.find((split) => split !== groupType);
  return other === undefined
    ? null
    : `must be ids of cohorts of ${kindOf(other)}, which the question counts: ${has}. A filter by it is possible`;
};

/**
 * Checks and resolves the parts of a filter that only the databases know. Every filter passes here between `parseFilters` and
 * `filterSql`.
 */
@Injectable()
export class FilterChecks {
  private readonly regexes: RegexCheck;

  constructor(
    private readonly postgres: Postgres,
    clickhouse: ClickHouse,
  ) {
    this.regexes = new RegexCheck(clickhouse);
  }

  /** Refuses more filters than a statement may have, unknown cohorts and regular expressions that RE2 does not accept. */
  async resolve(
    project: ProjectContext,
    filter: Filter,
    attr: string,
    { stored = false, signal, subject, atEvent = false, expressions = false, tested = 'events' }: ResolveOptions = {},
  ): Promise<CohortMemberships> {
    assertWithinLimits(filter, attr, subject);
    if (!atEvent) refuseAtEvent(filter);
    if (!expressions) refuseExpressions(filter);
    const [memberships] = await Promise.all([
      membershipsOf(this.postgres, project, filter, attr, { stored, tested }),
      this.assertGroupTypes(project, groupTypesOf(filter, attr)),
      this.regexes.check(project, filter, attr, signal),
    ]);
    return memberships;
  }

  /** Refuses unknown cohorts, and those whose members are groups. */
  async assertCohorts(reader: Queryable, project: ProjectContext, filter: Filter, attr: string): Promise<void> {
    await membershipsOf(reader, project, filter, attr, { stored: false, tested: 'persons' });
  }

  /** Refuses types of groups that the project does not have. */
  async assertGroupTypes(project: ProjectContext, named: readonly NamedGroupType[]): Promise<void> {
    if (named.length === 0) return;
    const { rows } = await this.postgres.query<{ index: number; name: string }>(
      pgSql`SELECT group_type_index AS index, name FROM group_types WHERE project_id = ${bound(project.id)} ORDER BY index`,
    );
    const unknown = named.find(({ index }) => !rows.some((type) => type.index === index));
    if (!unknown) return;
    const known = rows.map(({ index, name }) => `${index} (${name})`).join(', ');
    const has = known === '' ? 'no event has named a group yet' : `the project has ${known}`;
    throw invalidInput(`${unknown.at} must be the index of a type of groups: ${has}`, unknown.at);
  }
}

const membershipsOf = async (
  reader: Queryable,
  project: ProjectContext,
  filter: Filter,
  attr: string,
  { stored, tested }: { readonly stored: boolean; readonly tested: Tested },
): Promise<CohortMemberships> => {
  const leaves = leavesOf(filter).filter((leaf) => leaf.kind === 'cohort');
  if (leaves.length === 0) return noCohorts;
  const ids = [...new Set(leaves.map(({ cohortId }) => cohortId))];
  const { rows } = await reader.query<NamedCohort & { readonly id: number; readonly deleted: boolean }>(
    pgSql`
        SELECT id, version, deleted, group_type_index AS "groupType" FROM cohorts
        WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
  );
  const cohorts = new Map(rows.map((cohort) => [cohort.id, cohort]));
  for (const leaf of leaves) {
    const { cohortId, at, ofBreakdown, stored: isStored = stored } = leaf;
    const cohort = cohorts.get(cohortId);
    const path = ofBreakdown ? 'breakdown' : at === undefined ? attr : `${at}.value`;
    if (cohort && (isStored || !cohort.deleted)) {
      const misfit = misfitOf(leaf, cohort.groupType, tested);
      if (misfit !== null) throw invalidInput(`${path} ${misfit}`, path);
      continue;
    }
    throw invalidInput(`${path} must be the id of a cohort of this project: there is no cohort ${cohortId}`, path);
  }
  return new Map(rows.map(({ id, version, groupType }) => [id, { version, groupType }]));
};

/** An index of a type of groups, and its path in the request. */
export interface NamedGroupType {
  readonly index: number;
  readonly at: string;
}

const groupTypesOf = (filter: Filter, attr: string): NamedGroupType[] =>
  leavesOf(filter).flatMap((leaf) =>
    leaf.kind === 'property' && leaf.groupType !== undefined
      ? [{ index: leaf.groupType, at: leaf.at === undefined ? attr : `${leaf.at}.group_type_index` }]
      : [],
  );

const refuseAtEvent = (filter: Filter): void => {
  const leaf = leavesOf(filter).find((each) => each.kind === 'cohort' && each.atEvent);
  if (!leaf) return;
  const attr = leaf.at === undefined ? 'breakdowns' : `${leaf.at}.at`;
  throw invalidInput(`${attr} is possible in trends only: the membership at the time of the event`, attr);
};

const refuseExpressions = (filter: Filter): void => {
  const leaf = leavesOf(filter).find(({ kind }) => kind === 'expression');
  if (!leaf) return;
  const attr = leaf.at === undefined ? 'properties' : `${leaf.at}.type`;
  throw invalidInput(`${attr} hogql is possible in insights only: ask in SQL, or filter by a property`, attr);
};
