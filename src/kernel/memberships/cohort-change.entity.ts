import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Cohort } from './cohort.entity.js';

/** Why persons entered or left a cohort. */
export const changeReasons = [
  'calculated',
  'uploaded',
  'added',
  'removed',
  'merged',
  'split',
  'deleted',
  'redefined',
] as const;
export type ChangeReason = (typeof changeReasons)[number];

/** Persons who entered a cohort together, or left it together. */
@Entity('cohort_changes')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], { name: 'cohort_changes_cohort_fkey' })
@Index('cohort_changes_at', ['at'])
@Index('cohort_changes_of_project', ['projectId', 'id'])
export class CohortChange {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** Grows in the order of commits, because the id is taken while no other transaction of the project can change members. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column('timestamptz')
  at: Date;

  @Column('text')
  reason: ChangeReason;

  @Column('boolean')
  entered: boolean;

  @Column('integer')
  count: number;

  /** Ascending ids, packed. */
  @Column('bytea')
  persons: Buffer;
}
