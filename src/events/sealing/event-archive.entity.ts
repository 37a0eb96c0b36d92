import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A file of Parquet with the properties of events of a day. It is written when no block refers to it yet, and removed when none
 * does any longer, so that no crash leaves a file that no row knows.
 */
@Entity('event_archives')
export class EventArchive {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  /** The day of arrival in UTC. */
  @Column('date')
  day: string;

  @Column('text')
  state: 'writing' | 'ready' | 'removed';

  @Column('integer')
  events: number;

  @Column('integer')
  bytes: number;

  /** The digest of the file. */
  @Column('text')
  sha256: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** The transaction after which no block refers to the file: snapshots from before it still read the file. */
  @Column('bigint', { name: 'removed_xid', nullable: true })
  removedXid: string | null;
}
