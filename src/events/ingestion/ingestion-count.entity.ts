import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** The outcomes of the events of a project, as capture counted them. */
@Entity('ingestion_counts')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'ingestion_counts_project_id_fkey' })
export class IngestionCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text')
  outcome: string;

  /** The code of rejections; empty for other outcomes. */
  @PrimaryColumn('text')
  reason: string;

  /** bigint arrives as text. */
  @Column('bigint')
  events: string;

  @Column('timestamptz', { name: 'last_at' })
  lastAt: Date;
}
