import { type ClientBase } from 'pg';
import { cohortLog } from './cohort-changes.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { staticCohortVersion } from '../../kernel/projection/cargo/cohorts.cargo.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type CheckedDefinition } from './cohort-definitions.js';
import { type CohortRow } from '../record/cohorts.repository.js';
import { Problem, invalidInput, required } from '../../platform/errors/problem.js';
import { type Upload } from '../../platform/http/form.interceptor.js';
import { type CreateCohortBody, type UpdateCohortBody } from '../cohort-bodies.dto.js';

interface NewCohort {
  readonly name: string;
  readonly description: string;
  /** The index of the type of the groups that are the members; null: they are persons. */
  readonly groupType: number | null;
  /** Null for a static cohort. */
  readonly definition: CheckedDefinition | null;
  /** The query that selects the members of a static cohort. */
  readonly query?: string | object | null;
}

/** Inserts a cohort and its activity entry in the transaction of the caller. */
export const insertCohort = async (
  client: ClientBase,
  project: ProjectContext,
  { name, description, groupType, definition, query = null }: NewCohort,
  { userId, requestId, now }: Author,
): Promise<number> => {
  const isStatic = definition === null;
  const createdAt = bound(now);
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO cohorts (project_id, name, description, groups, filters, query, is_static, deleted, created_by,
       created_at, version, pending_version, is_calculating, errors_calculating, calculation_now, depends_on,
       depends_on_actions, updated_at, changes_from, group_type_index)
     VALUES (${bound(project.id)}, ${bound(name)}, ${bound(description)},
       ${bound(JSON.stringify(definition?.groups ?? []))}, ${bound(definition && JSON.stringify(definition.filters))},
       ${bound(jsonOf(query))}, ${bound(isStatic)}, false, ${bound(userId)}, ${createdAt}, ${bound(isStatic ? staticCohortVersion : null)},
       1, ${bound(!isStatic)}, 0, ${createdAt}, ${bound(definition?.dependsOn ?? [])},
       ${bound(definition?.dependsOnActions ?? [])}, ${createdAt}, ${createdAt}, ${bound(groupType)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  const after = {
    ...{ name, description, is_static: isStatic },
    ...(groupType !== null && { actor: 'group', group_type_index: groupType }),
    filters: definition?.filters ?? null,
    query,
  };
  const entry = { id, activity: 'created', name, changes: cohortLog.created(after) };
  await cohortLog.record(client, project, entry, { userId, requestId, now });
  return id;
};

export const storeChange = async (
  client: ClientBase,
  project: ProjectContext,
  id: number,
  {
    after,
    checked,
    now,
  }: {
    after: Pick<CohortRow, 'name' | 'description' | 'groups' | 'filters' | 'query' | 'deleted'>;
    checked: CheckedDefinition | null;
    now: Date;
  },
): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohorts SET name = ${bound(after.name)}, description = ${bound(after.description)},
       groups = ${bound(JSON.stringify(after.groups))}, filters = ${bound(after.filters && JSON.stringify(after.filters))},
       query = ${bound(jsonOf(after.query))}, deleted = ${bound(after.deleted)}, updated_at = ${bound(now)},
       depends_on = coalesce(${bound(checked?.dependsOn ?? null)}::integer[], depends_on),
       depends_on_actions = coalesce(${bound(checked?.dependsOnActions ?? null)}::integer[], depends_on_actions)
     WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
  );
};

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const endCalculation = async (client: ClientBase, projectId: number, id: number): Promise<void> => {
  await client.query(
    pgSql`UPDATE cohorts SET is_calculating = false WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
  );
};

const hasContent = (value: object | null | undefined): boolean =>
  value !== null && value !== undefined && Object.keys(value).length > 0;

const listsOfPersons = ['person_ids', 'distinct_ids'] as const;
const listsOfGroups = ['group_ids', 'group_keys'] as const;
const listFields = [...listsOfPersons, ...listsOfGroups] as const;

const emptyDefinition = (filters: object): boolean => {
  const { properties } = filters as { properties?: unknown };
  return typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0;
};

/** Refuses a list of members for a dynamic cohort, and a definition for a static one. */
export const refuseMisfits = (body: UpdateCohortBody, upload: Upload | null, isStatic: boolean): void => {
  if (isStatic) {
    const way = 'make a dynamic cohort, and a static copy of it with duplicate_as_static_cohort';
    if (body.filters && hasContent(body.filters) && !emptyDefinition(body.filters))
      throw invalidInput(`filters is not allowed for a static cohort: ${way}`, 'filters');
    if (hasContent(body.groups)) throw invalidInput(`groups is not allowed for a static cohort: ${way}`, 'groups');
    return;
  }
  const field = upload ? 'csv' : listFields.find((name) => hasContent(body[name]));
  if (field) throw invalidInput(`${field} lists the members of a static cohort: set is_static to true`, field);
};

export const refuseQuery = (
  query: string | object | null,
  body: UpdateCohortBody,
  upload: Upload | null,
  isStatic: boolean,
): void => {
  if (query === null) return;
  if (hasContent(body.filters))
    throw invalidInput('query and filters cannot be combined: send only one of them', 'query');
  if (!isStatic) throw invalidInput('query selects the members of a static cohort: set is_static to true', 'query');
  const list = upload ? 'csv' : listFields.find((name) => hasContent(body[name]));
  if (list) throw invalidInput(`query and ${list} cannot be combined: send only one of them`, 'query');
};

/** Refuses lists of persons for a cohort of groups, and lists of groups for a cohort of persons. */
export const refuseOtherMembers = (
  body: Pick<UpdateCohortBody, (typeof listFields)[number]>,
  groupType: number | null,
): void => {
  const [others, own] = groupType === null ? [listsOfGroups, listsOfPersons] : [listsOfPersons, listsOfGroups];
  const field = others.find((name) => body[name] !== undefined && body[name] !== null);
  if (field === undefined) return;
  const members = groupType === null ? 'persons' : 'groups';
  throw invalidInput(
    `${field} is not possible here, because the cohort has ${members}: send ${own.join(' or ')}`,
    field,
  );
};

/** Refuses a static cohort without any source of members. An empty list is a source, because members can be added later. */
export const assertSource = (body: CreateCohortBody, upload: Upload | null, groupType: number | null): void => {
  const isListed = [...listFields.map((name) => body[name]), body.query].some(
    (list) => list !== null && list !== undefined,
  );
  if (upload || isListed) return;
  const lists = groupType === null ? listsOfPersons : listsOfGroups;
  throw new Problem(
    400,
    'validation_error',
    'required',
    `A static cohort needs its members: send csv, ${lists.join(', ')} or query, or an empty list to add ${groupType === null ? 'persons' : 'groups'} later`,
    lists[0],
  );
};

/** Reads what the members of a new cohort are: null for persons, or the index of a type of groups. */
export const groupTypeOf = ({
  actor,
  group_type_index: index,
}: Pick<CreateCohortBody, 'actor' | 'group_type_index'>): number | null => {
  const isGiven = index !== undefined && index !== null;
  if (actor === 'group') {
    if (!isGiven) throw required('group_type_index', 'the index of a type of groups, as groups_types lists them');
    return index;
  }
  if (isGiven) throw invalidInput('group_type_index needs actor to be group: persons have no type', 'group_type_index');
  return null;
};

/** Refuses other members than the cohort has, because its recorded members and its history are of one kind. */
export const refuseOtherActor = (
  { actor, group_type_index: index }: UpdateCohortBody,
  groupType: number | null,
): void => {
  const own = groupType === null ? 'person' : 'group';
  const way = 'make another cohort instead';
  if (actor !== undefined && actor !== null && actor !== own)
    throw invalidInput(`actor cannot be changed, it is ${own}: ${way}`, 'actor');
  if (index !== undefined && index !== null && index !== groupType)
    throw invalidInput(
      `group_type_index cannot be changed, it is ${groupType === null ? 'null, because the members are persons' : groupType}: ${way}`,
      'group_type_index',
    );
};
