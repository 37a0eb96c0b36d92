import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Cohort } from '../../kernel/memberships/cohort.entity.js';

/** The outcome of the rows of the last upload of members to a static cohort. */
@Entity('cohort_uploads')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'cohort_uploads_project_id_cohort_id_fkey',
})
export class CohortUpload {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** Counts the uploads of the cohort. */
  @Column('integer')
  number: number;

  /** bigint arrives as text. */
  @Column('bigint', { default: 0 })
  rows: string;

  @Column('bigint', { default: 0 })
  matched: string;

  @Column('bigint', { default: 0 })
  unknown: string;

  @Column('bigint', { default: 0 })
  duplicates: string;

  /** The first rows that name no person. */
  @Column('jsonb', { default: [] })
  unmatched: object[];

  @Column('timestamptz', { name: 'uploaded_at' })
  uploadedAt: Date;
}
