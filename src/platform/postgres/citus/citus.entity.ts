import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The row that writers of a project lock, on the project's node of Citus. The table of projects is on every node, so a lock in
 * it would make the writers of all projects wait for each other. Empty without Citus.
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

/**
 * Changes that are not yet in the outbox, which is on the coordinator of Citus. With this table, a transaction of one project
 * writes only to the node of the project, and is committed there as a whole. Empty without Citus.
 */
@Entity('node_outbox')
export class NodeOutboxRow {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** From the sequence of the outbox: the row keeps its id when it is moved there. */
  @PrimaryColumn('bigint', { default: () => `nextval('outbox_id_seq')` })
  id: string;

  @Column('text')
  kind: string;

  @Column('jsonb')
  refs: object;

  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** True for new events in the log, which live streams must show. */
  @Column('boolean', { name: 'is_arrival' })
  isArrival: boolean;
}
