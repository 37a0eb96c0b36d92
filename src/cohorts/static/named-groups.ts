import { type ClientBase } from 'pg';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { groupTypesOf } from '../../kernel/groups/group-types.js';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** Each value is looked up by an index. A group of another type has no such row. */
const byId = (project: PgSql, type: PgSql, ids: PgSql): PgSql => pgSql`
  SELECT g.id, input.place::int FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS input (id, place)
  CROSS JOIN LATERAL (
    SELECT id FROM groups WHERE project_id = ${project} AND id = input.id AND group_type_index = ${type} LIMIT 1
  ) AS g`;

const byActor = (project: PgSql, actors: PgSql): PgSql => pgSql`
  SELECT g.id, input.place::int FROM unnest(${actors}::bigint[]) WITH ORDINALITY AS input (actor, place)
  CROSS JOIN LATERAL (SELECT id FROM groups WHERE project_id = ${project} AND actor = input.actor LIMIT 1) AS g`;

/** Returns the groups of a type that each candidate names, which is one or none. */
export const groupsNamed = async (
  client: ClientBase,
  projectId: number,
  groupType: number,
  candidates: readonly Candidate[],
): Promise<string[][]> => {
  const groups: string[][] = candidates.map(() => []);
  const type = (await groupTypesOf(client, projectId)).find(({ group_type_index: index }) => index === groupType);
  if (!type) return groups;
  const project = pgSql`${bound(projectId)}`;
  for (const kind of ['id', 'key'] as const) {
    const places = candidates.flatMap((candidate, at) => (candidate.kind === kind ? [at] : []));
    if (places.length === 0) continue;
    const values = places.map((at) => candidates[at]?.value ?? '');
    const actors = (): string[] => values.map((key) => groupActor(projectId, { type: type.name, key }));
    const statement =
      kind === 'id'
        ? byId(project, pgSql`${bound(groupType)}`, pgSql`${bound(values)}`)
        : byActor(project, pgSql`${bound(actors())}`);
    const { rows } = await client.query<{ id: string; place: number }>(statement);
    for (const { id, place } of rows) groups[places[place - 1] ?? -1]?.push(id);
  }
  return groups;
};
