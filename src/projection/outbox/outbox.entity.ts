import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What ClickHouse has not been told yet. Node-local: a queue, not a tenant's data. */
@Entity('outbox')
@Index('outbox_of_project', ['projectId', 'id'])
export class OutboxRow {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  @Column('text')
  kind: string;

  /** Keys of what changed; the shipper reads the rows themselves when it ships. */
  @Column('jsonb')
  refs: object;

  /** How many keys `refs` holds. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
