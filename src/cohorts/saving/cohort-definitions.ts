import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { firstMissing, type Scope } from '../../kernel/access/scopes.js';
import { type Requester } from '../../kernel/access/author.js';
import { conflict, invalidInput, permissionDenied, type Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type CohortMemberships } from '../../filters/compile/compile.sql.js';
import { leavesOf } from '../../filters/reading/filter.js';
import { Calculator } from '../calculation/calculator.js';
import { noSuchAction } from '../../filters/actions/action-lookup.js';
import { type CreateCohortBody } from '../cohort-bodies.dto.js';
import { actionsIn, cohortsIn, criteriaOf, type Definition, filtersIn } from '../definition/definition.js';
import { filtersFromGroups } from '../definition/legacy-groups.js';
import { lockProject } from '../../kernel/projects/projects.repository.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** A definition, both as received and as parsed. */
export interface CheckedDefinition {
  readonly groups: object[];
  readonly filters: object;
  readonly definition: Definition;
  /** The index of the type of the groups that are the members; null: they are persons. */
  readonly groupType: number | null;
  readonly dependsOn: readonly number[];
  readonly dependsOnActions: readonly number[];
  /** The versions of the cohorts that the definition names. */
  readonly memberships: CohortMemberships;
}

/** True if filters were sent. An empty object, which clients send for "no filters", does not count. */
const hasFilters = (filters: object | null | undefined): filters is object =>
  !isMissing(filters) && Object.keys(filters).length > 0;

const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined;

export const withoutCriteria = (): Problem =>
  invalidInput(
    'filters must have at least one criterion: {"properties": {"type": "AND", "values": [criterion, …]}}; ' +
      'set is_static to true for a cohort whose members are listed',
    'filters',
  );

/**
 * Requires the scope for questions if values could be guessed from the count of the cohort: if the definition names properties,
 * or actions, whose filters may change later.
 */
export const refuseUnreadable = (
  { definition, groupType, dependsOnActions }: CheckedDefinition,
  { scopes }: Requester,
): void => {
  const properties = filtersIn(definition)
    .flatMap(leavesOf)
    .flatMap((leaf) => (leaf.kind === 'property' ? [leaf.source] : []));
  // In a cohort of persons, a property of a group is one of their groups.
  const isOfGroups = (source: string): boolean => groupType !== null && source === 'group';
  const needed: Scope[] = [
    ...(dependsOnActions.length > 0 || properties.some((source) => !isOfGroups(source))
      ? ['person:read' as const]
      : []),
    ...(properties.some(isOfGroups) ? ['group:read' as const] : []),
  ];
  const missing = firstMissing(scopes, needed);
  if (missing === null) return;
  throw permissionDenied(
    `filters name properties or an action, and the count of such a cohort tells about persons or groups: the API key lacks the scope ${missing}`,
    'filters',
    { 'X-Required-Scopes': `cohort:write ${needed.join(' ')}` },
  );
};

/** Checks definitions in full before they are stored. */
@Injectable()
export class CohortDefinitions {
  constructor(private readonly calculator: Calculator) {}

  /**
   * Reads the definition of a body; null when it contains none. A definition without criteria is refused, because the cohort
   * would never have a member.
   */
  async read(
    project: ProjectContext,
    { filters, groups }: Pick<CreateCohortBody, 'filters' | 'groups'>,
    now: Date,
    groupType: number | null,
  ): Promise<CheckedDefinition | null> {
    if (isMissing(filters) && isMissing(groups)) return null;
    const input = hasFilters(filters)
      ? { groups: [], filters }
      : { groups: groups ?? [], filters: filtersFromGroups(groups ?? []) };
    if (groupType !== null && input.groups.length > 0)
      throw invalidInput('groups is the oldest form of a definition of persons: send filters', 'groups');
    const checked = await this.check(project, { ...input, groupType }, 'filters', now);
    if (checked.definition === null) throw withoutCriteria();
    return checked;
  }

  async check(
    project: ProjectContext,
    input: Pick<CheckedDefinition, 'groups' | 'filters' | 'groupType'>,
    attr: string,
    now: Date,
  ): Promise<CheckedDefinition> {
    const of = { attr, groupType: input.groupType };
    const definition = await this.calculator.readDefinition(project, input.filters, of);
    const memberships = await this.calculator.requireCalculable(project, definition, now, of);
    const dependsOnActions = [...new Set(actionsIn(definition).map(({ id }) => id))];
    return { ...input, definition, dependsOn: cohortsIn(definition), dependsOnActions, memberships };
  }

  /**
   * Checks that every action and every cohort in the definition exists, and that the cohort does not depend on itself through
   * others. From this call until the end of the transaction, no other definition and no action of the project changes.
   */
  async resolve(
    client: ClientBase,
    project: ProjectContext,
    { definition, dependsOn, dependsOnActions }: Omit<CheckedDefinition, 'memberships'>,
    ownId: number | null,
  ): Promise<void> {
    if (dependsOn.length + dependsOnActions.length === 0) return;
    await lockDefinitions(client, project);
    await assertActions(client, project, definition);
    if (dependsOn.length === 0) return;
    const { rows } = await client.query<{ id: number; depends_on: number[] }>(
      pgSql`SELECT id, depends_on FROM cohorts WHERE project_id = ${bound(project.id)} AND NOT deleted`,
    );
    const edges = new Map(rows.map(({ id, depends_on }) => [id, depends_on]));
    for (const leaf of criteriaOf(definition)) {
      if (leaf.kind !== 'cohort') continue;
      const path = leaf.at === undefined ? 'filters' : `${leaf.at}.value`;
      if (ownId !== null && leadsTo(edges, leaf.cohortId, ownId)) {
        throw invalidInput(`${path} leads back to this cohort: cohorts cannot refer to each other in a loop`, path);
      }
      if (!edges.has(leaf.cohortId)) {
        throw invalidInput(
          `${path} must be the id of a cohort of this project: there is no cohort ${leaf.cohortId}`,
          path,
        );
      }
    }
  }

  /** Refuses a type of groups that the project does not have. */
  assertGroupType(project: ProjectContext, groupType: number | null): Promise<void> {
    return this.calculator.assertGroupType(project, groupType);
  }

  /** Refuses to delete a cohort to which another live cohort or a flag refers. */
  async refuseWhileUsed(client: ClientBase, project: ProjectContext, id: number): Promise<void> {
    await lockDefinitions(client, project);
    const cohort = bound(id);
    const { rows } = await client.query<{ id: number; name: string }>(
      pgSql`SELECT id, name FROM cohorts
       WHERE project_id = ${bound(project.id)} AND NOT deleted AND id <> ${cohort} AND depends_on @> ARRAY[${cohort}::integer]
       ORDER BY id LIMIT 6`,
    );
    if (rows.length === 0) return refuseWhileFlagged(client, project, id);
    const names = rows.slice(0, 5).map((row) => `${JSON.stringify(row.name)} (${row.id})`);
    const more = rows.length > 5 ? ' and others' : '';
    throw conflict(
      `Cohorts refer to this one: ${names.join(', ')}${more}. Remove it from their definitions, or delete them first`,
      'deleted',
    );
  }
}

const refuseWhileFlagged = async (client: ClientBase, project: ProjectContext, id: number): Promise<void> => {
  const { rows } = await client.query<{ id: number; key: string }>(
    pgSql`SELECT id, key FROM feature_flags
     WHERE project_id = ${bound(project.id)} AND cohorts @> ARRAY[${bound(id)}::integer] ORDER BY id LIMIT 6`,
  );
  if (rows.length === 0) return;
  const names = rows.slice(0, 5).map((flag) => `${flag.key} (${flag.id})`);
  const more = rows.length > 5 ? ' and others' : '';
  throw conflict(
    `Feature flags have conditions on this cohort: ${names.join(', ')}${more}. Change or delete them first`,
    'deleted',
  );
};

/** Waits for other transactions that change definitions, but not for transactions that only add persons or events. */
const lockDefinitions = async (client: ClientBase, project: ProjectContext): Promise<void> => {
  await lockProject(client, project.id);
};

const assertActions = async (client: ClientBase, project: ProjectContext, definition: Definition): Promise<void> => {
  const named = actionsIn(definition);
  if (named.length === 0) return;
  const ids = bound(named.map(({ id }) => id));
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM actions WHERE project_id = ${bound(project.id)} AND id = ANY (${ids}::integer[])`,
  );
  const missing = named.find(({ id }) => !rows.some((row) => row.id === id));
  if (missing) throw noSuchAction(missing.id, missing.at);
};

const leadsTo = (edges: ReadonlyMap<number, readonly number[]>, from: number, to: number): boolean => {
  const seen = new Set<number>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(edges.get(id) ?? []));
  }
  return false;
};
