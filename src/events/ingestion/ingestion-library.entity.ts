import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

/** A client library that sent events. */
@Entity('ingestion_libraries')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'ingestion_libraries_project_id_fkey' })
export class IngestionLibrary {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text')
  name: string;

  @PrimaryColumn('text')
  version: string;

  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt: Date;
}
