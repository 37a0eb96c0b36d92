import { type ClientBase } from 'pg';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { groupTypesOf } from '../../kernel/groups/group-types.js';
import { actorOfUuid } from '../../kernel/groups/group-uuid.js';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** Each value is looked up by an index. A group of another type has no such row. */
const byId = (project: PgSql, type: PgSql, ids: PgSql): PgSql => pgSql`
  SELECT g.id, input.place::int FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS input (id, place)
  CROSS JOIN LATERAL (
    SELECT id FROM groups WHERE project_id = ${project} AND id = input.id AND group_type_index = ${type} LIMIT 1
  ) AS g`;

const byActor = (project: PgSql, type: PgSql, actors: PgSql): PgSql => pgSql`
  SELECT g.id, input.place::int FROM unnest(${actors}::bigint[]) WITH ORDINALITY AS input (actor, place)
  CROSS JOIN LATERAL (
    SELECT id FROM groups WHERE project_id = ${project} AND actor = input.actor AND group_type_index = ${type} LIMIT 1
  ) AS g`;

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
  const [project, index] = [pgSql`${bound(projectId)}`, pgSql`${bound(groupType)}`];
  const actorOf = ({ kind, value }: Candidate): string | null =>
    kind === 'key'
      ? groupActor(projectId, { type: type.name, key: value })
      : kind === 'uuid'
        ? actorOfUuid(value)
        : null;
  const values = candidates.map((candidate) => (candidate.kind === 'id' ? candidate.value : actorOf(candidate)));
  for (const isById of [true, false]) {
    const places = candidates.flatMap(({ kind }, at) =>
      values[at] !== null && (kind === 'id') === isById ? [at] : [],
    );
    if (places.length === 0) continue;
    const named = pgSql`${bound(places.map((at) => values[at]))}`;
    const statement = isById ? byId(project, index, named) : byActor(project, index, named);
    const { rows } = await client.query<{ id: string; place: number }>(statement);
    for (const { id, place } of rows) groups[places[place - 1] ?? -1]?.push(id);
  }
  return groups;
};
