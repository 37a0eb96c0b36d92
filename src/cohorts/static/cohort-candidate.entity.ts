import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Cohort } from '../../kernel/memberships/cohort.entity.js';
import { type CandidateKind, type CandidateSource } from '../../kernel/memberships/candidate.js';

/** A candidate for membership: an uploaded value that has not been looked up among the persons yet. */
@Entity('cohort_candidates')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'cohort_candidates_project_id_cohort_id_fkey',
})
@Check('cohort_candidates_kind_check', "kind IN ('id', 'uuid', 'distinct_id', 'email', 'key', 'unreadable')")
@Check('cohort_candidates_source_check', "source IN ('csv', 'person_ids', 'distinct_ids', 'group_ids', 'group_keys')")
export class CohortCandidate {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** A bigint, which the driver returns as text. */
  @PrimaryColumn('bigint')
  position: string;

  @Column('text')
  kind: CandidateKind;

  @Column('text')
  value: string;

  /** The number of the upload; null for a candidate of a copied cohort. */
  @Column('integer', { nullable: true })
  upload: number | null;

  @Column('text', { nullable: true })
  source: CandidateSource | null;

  /** The line of the file, or the index in the list. A bigint, which the driver returns as text. */
  @Column('bigint', { nullable: true })
  at: string | null;
}
