import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** The numbers of events of a project, by the outcome that capture counted. */
@Entity('ingestion_counts')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'ingestion_counts_project_id_fkey' })
export class IngestionCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text')
  outcome: string;

  /** The code of a rejection; empty for other outcomes. */
  @PrimaryColumn('text')
  reason: string;

  /** A bigint, which the driver returns as text. */
  @Column('bigint')
  events: string;

  @Column('timestamptz', { name: 'last_at' })
  lastAt: Date;
}
