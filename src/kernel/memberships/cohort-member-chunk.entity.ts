import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Cohort } from './cohort.entity.js';

/** The current members of a cohort whose ids have the same quotient by 1,024, as one bit for each id. */
@Entity('cohort_member_chunks')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], { name: 'cohort_member_chunks_cohort_fkey' })
@Index('cohort_member_chunks_chunk', ['projectId', 'chunk'])
export class CohortMemberChunk {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  @PrimaryColumn('bigint')
  chunk: string;

  @Column('bytea')
  bits: Buffer;
}
