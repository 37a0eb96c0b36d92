import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ImportJob } from './import-job.entity.js';

/** Lines of an import that have not been imported yet. */
@Entity('import_pieces')
@ForeignKey(() => ImportJob, ['projectId', 'jobId'], ['projectId', 'id'], {
  name: 'import_pieces_project_id_job_id_fkey',
})
export class ImportPiece {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid', { name: 'job_id' })
  jobId: string;

  @PrimaryColumn('integer')
  position: number;

  /** The time at which the service had received the lines. Their events count as received at this time. */
  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;

  @Column('bytea')
  lines: Buffer;
}
