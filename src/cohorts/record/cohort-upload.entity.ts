import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Cohort } from '../../kernel/memberships/cohort.entity.js';

/** The result of the last upload of members to a static cohort. */
@Entity('cohort_uploads')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'cohort_uploads_project_id_cohort_id_fkey',
})
export class CohortUpload {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** The number of the upload among those of the cohort, from 1. */
  @Column('integer')
  number: number;

  /** A bigint, which the driver returns as text. */
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
