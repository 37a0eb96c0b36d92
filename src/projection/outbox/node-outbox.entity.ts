import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OutboxColumns } from './outbox-columns.js';

/**
 * Changes that are not yet in the outbox, which is on the coordinator of Citus: a transaction of one project writes to its node
 * alone, and is committed there as a whole. Empty without Citus.
 */
@Entity('node_outbox')
export class NodeOutboxRow extends OutboxColumns {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** From the same sequence as the ids of the outbox, where the row has it, too. */
  @PrimaryColumn('bigint', { default: () => `nextval('outbox_id_seq')` })
  id: string;

  /** Whether these are events that are new in the log, of which live streams have to learn. */
  @Column('boolean', { name: 'is_arrival' })
  isArrival: boolean;
}
