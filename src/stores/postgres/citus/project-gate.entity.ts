import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The row of a project that its writers lock on its node of Citus. Projects themselves are on every node, where such a lock would
 * make the writers of all projects wait for each other. Empty without Citus.
 */
@Entity('project_gates')
export class ProjectGate {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;

  @Column('integer', { name: 'quota_events_per_day', nullable: true })
  quotaEventsPerDay: number | null;
}
