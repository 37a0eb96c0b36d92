import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('static_cohort_members')
export class StaticCohortMember {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('timestamptz', { name: 'added_at' })
  addedAt: Date;
}
