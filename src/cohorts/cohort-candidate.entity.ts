import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was uploaded for a static cohort and not yet held against the persons. */
@Entity('cohort_candidates')
export class CohortCandidate {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** bigint arrives as text. */
  @PrimaryColumn('bigint')
  position: string;

  @Column('text')
  kind: 'id' | 'uuid' | 'distinct_id' | 'email';

  @Column('text')
  value: string;
}
