import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../../kernel/projects/project.entity.js';
import { type ImportRefusal } from '../import-run.js';

/** An import that is done in the background, or by a command. */
@Entity('import_jobs')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'import_jobs_project_id_fkey' })
@Check('import_jobs_status_check', "status IN ('receiving', 'queued', 'running', 'done', 'failed')")
@Check('import_jobs_source_check', "source IN ('request', 'file')")
@Index('import_jobs_unfinished', ['projectId', 'createdAt'], { where: 'finished_at IS NULL' })
export class ImportJob {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  status: 'receiving' | 'queued' | 'running' | 'done' | 'failed';

  /** Lines of a `request` are stored until they are imported; a `file` is read by the command. */
  @Column('text')
  source: 'request' | 'file';

  @Column('boolean', { name: 'apply_person_properties' })
  applyPersonProperties: boolean;

  @Column('boolean', { name: 'create_persons' })
  createPersons: boolean;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('text', { name: 'request_id', nullable: true })
  requestId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /**
   * The number of lines of the body without blank ones; null until they are counted. A bigint, which the driver returns as text.
   */
  @Column('bigint', { nullable: true })
  rows: string | null;

  @Column('bigint', { name: 'rows_read', default: 0 })
  rowsRead: string;

  @Column('bigint', { default: 0 })
  persons: string;

  @Column('bigint', { default: 0 })
  events: string;

  @Column('bigint', { default: 0 })
  duplicates: string;

  @Column('bigint', { name: 'rejected_count', default: 0 })
  rejectedCount: string;

  /** The first rejected lines. */
  @Column('jsonb', { default: [] })
  rejected: ImportRefusal[];

  /** Failed attempts since the last progress. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;
}
