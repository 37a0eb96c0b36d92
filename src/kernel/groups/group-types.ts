import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type GroupType } from './group.entity.js';

export type StoredGroupType = Omit<Stored<GroupType>, 'project_id'>;

/** The types of groups of a project, by their indexes. */
export const groupTypesOf = async (reader: Queryable, projectId: number): Promise<readonly StoredGroupType[]> => {
  const { rows } = await reader.query<StoredGroupType>(
    pgSql`SELECT group_type_index, name, name_singular, name_plural, created_at FROM group_types
      WHERE project_id = ${bound(projectId)} ORDER BY group_type_index`.named('group-types'),
  );
  return rows;
};

/** The names under which people see a type. */
export type GroupTypeNames = Pick<StoredGroupType, 'group_type_index' | 'name_singular' | 'name_plural'>;

export const renameGroupTypes = async (
  client: ClientBase,
  projectId: number,
  names: readonly GroupTypeNames[],
): Promise<void> => {
  await client.query(pgSql`
    UPDATE group_types AS t SET name_singular = new.name_singular, name_plural = new.name_plural
    FROM jsonb_to_recordset(${bound(JSON.stringify(names))}::jsonb)
      AS new (group_type_index smallint, name_singular text, name_plural text)
    WHERE t.project_id = ${bound(projectId)} AND t.group_type_index = new.group_type_index`);
};
