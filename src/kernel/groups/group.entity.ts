import { Column, type ColumnOptions, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** A type of groups of a project, such as companies. Events name it by `name`; its index never changes. */
@Entity('group_types')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'group_types_project_id_fkey' })
@Unique('group_types_project_id_name_key', ['projectId', 'name'])
export class GroupType {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('smallint', { name: 'group_type_index' })
  groupTypeIndex: number;

  @Column('text')
  name: string;

  @Column('text', { name: 'name_singular', nullable: true })
  nameSingular: string | null;

  @Column('text', { name: 'name_plural', nullable: true })
  namePlural: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

/** A generated column that is no primary key: the types of TypeORM do not allow this, but its schema builder supports it. */
const identity = { generated: 'identity', generatedIdentity: 'BY DEFAULT' } as object as ColumnOptions;

/**
 * A group, such as one company. Like `persons`, the table has no foreign key to `projects`, which would be checked row by row.
 */
@Entity('groups')
@Unique('groups_project_id_id_key', ['projectId', 'id'])
// The index is newest first, which TypeORM cannot express.
@Index('groups_newest', { synchronize: false })
export class Group {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Follows from the type and the key, so that events name a group without a look-up. bigint arrives as text. */
  @PrimaryColumn('bigint')
  actor: string;

  /** Every id is below 2^53. */
  @Column({ type: 'bigint', ...identity, insert: false, update: false })
  id: string;

  @Column('smallint', { name: 'group_type_index' })
  groupTypeIndex: number;

  @Column('text')
  key: string;

  @Column('jsonb')
  properties: object;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
