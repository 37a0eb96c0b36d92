import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Events whose properties are to move into blocks. A hint only: an event that is missing here is found by the next walk. */
@Entity('unsealed_events')
export class UnsealedEvents {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('uuid', { array: true })
  uuids: string[];

  /** The number of uuids. */
  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date;
}
