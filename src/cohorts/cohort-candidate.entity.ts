import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Cohort } from './cohort.entity.js';

/** A candidate: uploaded for a static cohort and not yet looked up among the persons. */
@Entity('cohort_candidates')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'cohort_candidates_project_id_cohort_id_fkey',
})
@Check('cohort_candidates_kind_check', "kind IN ('id', 'uuid', 'distinct_id', 'email')")
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
