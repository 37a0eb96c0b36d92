import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Project } from '../kernel/projects/project.entity.js';
import { type StoredRules } from './definition/rules.js';

@Entity('feature_flags')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'feature_flags_project_id_fkey' })
@Unique('feature_flags_project_id_key_key', ['projectId', 'key'])
@Index('feature_flags_versions', ['projectId', 'id', 'version'])
export class FeatureFlag {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  key: string;

  /** Says what the flag is for: the reference product calls the description of a flag its name. */
  @Column('text')
  name: string;

  @Column('boolean')
  active: boolean;

  @Column('jsonb')
  filters: StoredRules;

  /** The cohorts that the conditions name. */
  @Column('integer', { array: true })
  cohorts: number[];

  @Column('text', { array: true })
  tags: string[];

  /** Grows by one with each change, so that with the id it stands for one state of the flag. */
  @Column('integer')
  version: number;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('integer', { name: 'last_modified_by', nullable: true })
  lastModifiedBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
