import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** A merged person and the person it was merged into: never one that was itself merged again. */
@Entity('person_redirects')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'person_redirects_project_id_fkey' })
@Index('person_redirects_target', ['projectId', 'target'])
@Index('person_redirects_uuid', ['projectId', 'uuid'])
export class PersonRedirect {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint')
  source: string;

  @Column('bigint')
  target: string;

  /** The uuid of the merged person. Null when a later person with the same uuid was deleted. */
  @Column('uuid', { nullable: true })
  uuid: string | null;
}
