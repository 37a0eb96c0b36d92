import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Changes that are not yet in ClickHouse. Node-local: a queue, not a tenant's data. */
@Entity('outbox')
@Index('outbox_of_project', ['projectId', 'id'])
export class OutboxRow {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  @Column('text')
  kind: string;

  /** Keys of the changed rows; the shipper reads the rows themselves when it ships. */
  @Column('jsonb')
  refs: object;

  /** The number of keys in `refs`. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
