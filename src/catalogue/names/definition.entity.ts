import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';
import { type NameKind } from '../../persons/values/hidden-names.js';

/** The description of a name by a project. Names without a description have no row. */
@Entity('definitions')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'definitions_project_id_fkey' })
@Check('definitions_kind_check', "kind IN ('event', 'event_property', 'person_property')")
@Index('definitions_hidden', ['projectId', 'kind'], { where: 'hidden' })
export class NameDefinition {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text')
  kind: NameKind;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  description: string;

  @Column('integer', { nullable: true })
  owner: number | null;

  @Column('boolean')
  hidden: boolean;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
