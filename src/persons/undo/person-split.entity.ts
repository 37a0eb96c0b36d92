import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../projects/project.entity.js';

/** One split of the last 90 days, with the person as it was before. */
@Entity('person_splits')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'person_splits_project_id_fkey' })
@Index('person_splits_person', ['projectId', 'personId'])
export class PersonSplitRecord {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  @Column('jsonb')
  properties: object;

  @Column('boolean', { name: 'is_identified' })
  isIdentified: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Distinct ids with a larger position were added later. */
  @Column('bigint', { name: 'last_position' })
  lastPosition: string;

  @Column('timestamptz', { name: 'split_at' })
  splitAt: Date;

  /** When distinct ids last came back by an undo. */
  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt: Date | null;

  /** The properties are gone, because they contained some of a person that was deleted. */
  @Column('boolean', { name: 'is_forgotten', default: false })
  isForgotten: boolean;
}

/** A distinct id that left, and the person made for it. */
@Entity('person_split_ids')
@ForeignKey(() => PersonSplitRecord, ['projectId', 'splitId'], ['projectId', 'id'], {
  name: 'person_split_ids_project_id_split_id_fkey',
  onDelete: 'CASCADE',
})
@Index('person_split_ids_distinct_id', ['projectId', 'distinctId'])
@Index('person_split_ids_person', ['projectId', 'personId'])
export class PersonSplitId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'split_id' })
  splitId: string;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  /** When the id came back by an undo. */
  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt: Date | null;
}
