import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { noGroup } from '../../kernel/groups/group-id.js';
import { type StoredGroupType, groupTypesOf } from '../../kernel/groups/group-types.js';
import { actorOfUuid } from '../../kernel/groups/group-uuid.js';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { type StoredGroup, groupsSql, requireGroup } from '../../kernel/groups/stored-groups.js';
import { textOf } from '../../kernel/projection/search-text.js';
import { notFound, required } from '../../platform/errors/problem.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type GroupDto } from '../group.dto.js';

/** A group as questions name it. */
export interface GroupInQuestion {
  readonly typeIndex: number;
  readonly actor: string;
}

/** Reads groups by key, in the shape of the API. */
@Injectable()
export class GroupsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Reads a group; with `client`, as the transaction of the caller sees it. */
  async get(project: ProjectContext, id: string, client?: ClientBase): Promise<GroupDto> {
    return toGroupDto(await requireGroup(client ?? this.postgres, project.id, id));
  }

  /** Throws 404 for an id of no group. */
  async inQuestion(project: ProjectContext, id: string): Promise<GroupInQuestion> {
    const { group_type_index: typeIndex, actor } = await requireGroup(this.postgres, project.id, id);
    return { typeIndex, actor };
  }

  /** Returns the groups by their ids, without those that no longer exist. */
  async withIds(project: ProjectContext, ids: readonly string[]): Promise<Map<string, GroupDto>> {
    const { rows } = await this.postgres.query<StoredGroup>(
      pgSql`${groupsSql(pgSql`unnest(${bound(ids)}::bigint[]) AS input (id)
        CROSS JOIN LATERAL (SELECT * FROM groups WHERE project_id = ${bound(project.id)} AND id = input.id LIMIT 1) AS g`)}`,
    );
    return new Map(rows.map((row) => [row.id, toGroupDto(row)]));
  }

  /** Returns the groups by their actors, without those that no longer exist. */
  async withActors(
    project: ProjectContext,
    actors: readonly string[],
    client?: ClientBase,
  ): Promise<Map<string, GroupDto>> {
    if (actors.length === 0) return new Map();
    const reader: Queryable = client ?? this.postgres;
    const { rows } = await reader.query<StoredGroup>(
      pgSql`${groupsSql(pgSql`unnest(${bound(actors)}::bigint[]) AS input (actor)
        CROSS JOIN LATERAL (SELECT * FROM groups WHERE project_id = ${bound(project.id)} AND actor = input.actor LIMIT 1) AS g`)}`,
    );
    return new Map(rows.map((row) => [row.actor, toGroupDto(row)]));
  }

  /** Throws 404 for a uuid of no group. */
  async withUuid(project: ProjectContext, uuid: string): Promise<GroupDto> {
    const actor = actorOfUuid(uuid);
    const group = actor === null ? undefined : (await this.withActors(project, [actor])).get(actor);
    if (!group) throw noGroup(uuid);
    return group;
  }

  /** Returns the group of a type that has the key; null when there is none. */
  async named(project: ProjectContext, typeIndex: number, key: string): Promise<GroupDto | null> {
    const actor = await this.actorOf(project, typeIndex, key);
    return actor === null ? null : ((await this.withActors(project, [actor])).get(actor) ?? null);
  }

  /** Throws 404 when there is none. */
  async find(project: ProjectContext, typeIndex: number, key: string): Promise<GroupDto> {
    const group = await this.named(project, typeIndex, key);
    if (group === null) throw notFound(`there is no group of the type ${typeIndex} with the key ${key}`);
    return group;
  }

  /** The number, in questions, of the group of a type that has the key, whether or not it has a row; null without the type. */
  async actorOf(project: ProjectContext, typeIndex: number, key: string): Promise<string | null> {
    const type = (await this.types(project)).find(({ group_type_index: index }) => index === typeIndex);
    return type ? groupActor(project.id, { type: type.name, key }) : null;
  }

  types(project: ProjectContext): Promise<readonly StoredGroupType[]> {
    return groupTypesOf(this.postgres, project.id);
  }

  /** The type that a request means: a project with one type need not name it. Null in a project without types. */
  async typeMeant(project: ProjectContext, typeIndex: number | undefined): Promise<number | null> {
    if (typeIndex !== undefined) return typeIndex;
    const [first, ...more] = await this.types(project);
    if (more.length > 0) throw required('group_type_index', 'the project has several types, listed by groups_types');
    return first?.group_type_index ?? null;
  }
}

export const toGroupDto = ({ id, group_type_index, key, properties, created_at }: StoredGroup): GroupDto => ({
  id: Number(id),
  group_type_index,
  group_key: key,
  name: textOf(Object.hasOwn(properties, 'name') ? properties.name : null).trim() || key,
  group_properties: properties,
  created_at: created_at.toISOString(),
});
