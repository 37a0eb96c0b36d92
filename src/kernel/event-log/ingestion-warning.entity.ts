import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** A note about something that was altered in, or left out of, an accepted event. */
@Entity('ingestion_warnings')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'ingestion_warnings_project_id_fkey' })
@Index('ingestion_warnings_of_distinct_id', ['projectId', 'distinctId'])
export class IngestionWarning {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** A uuid of version 7, by which warnings are sorted. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  type: string;

  @Column('text')
  detail: string;

  @Column('uuid', { name: 'event_uuid', nullable: true })
  eventUuid: string | null;

  @Column('text', { name: 'distinct_id', nullable: true })
  distinctId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
