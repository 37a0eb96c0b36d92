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

/**
 * Changes that are not yet in the outbox, which is on the coordinator of Citus: a transaction of one project writes to its node
 * alone, and is committed there as a whole. Empty without Citus.
 */
@Entity('node_outbox')
export class NodeOutboxRow {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** From the same sequence as the ids of the outbox, where the row has it, too. */
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

  /** True for events that are new in the log, of which live streams have to learn. */
  @Column('boolean', { name: 'is_arrival' })
  isArrival: boolean;
}
