import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OutboxColumns } from './outbox-columns.js';

/** Changes that are not yet in ClickHouse. Node-local: a queue, not a tenant's data. */
@Entity('outbox')
@Index('outbox_of_project', ['projectId', 'id'])
export class OutboxRow extends OutboxColumns {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;
}
