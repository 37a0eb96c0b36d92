import { Column, Entity, PrimaryColumn } from 'typeorm';

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

  /** The number of keys in `refs`. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** Whether these are events that are new in the log, of which live streams have to learn. */
  @Column('boolean', { name: 'is_arrival' })
  isArrival: boolean;
}
