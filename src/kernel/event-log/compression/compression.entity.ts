import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The properties of some events that arrived on one day, compressed together. */
@Entity('event_blocks')
@Check('event_blocks_check', '(body IS NULL) = (archive IS NOT NULL AND archive_row IS NOT NULL)')
@Index('event_blocks_to_clean', ['projectId'], { where: 'removals > 0' })
@Index('event_blocks_to_archive', ['projectId', 'day'], { where: 'archive IS NULL' })
@Index('event_blocks_of_archive', ['projectId', 'archive'], { where: 'archive IS NOT NULL' })
export class EventBlock {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  /** In UTC. */
  @Column('date')
  day: string;

  /** The compressed properties; null when they are in a file. */
  @Column('bytea', { nullable: true })
  body: Buffer | null;

  /** The file that has the properties. */
  @Column('uuid', { nullable: true })
  archive: string | null;

  /** The first row of the block in the file; its other rows follow. */
  @Column('integer', { name: 'archive_row', nullable: true })
  archiveRow: number | null;

  /** How often events of the block were deleted since the last cleaning removed their properties. */
  @Column('integer')
  removals: number;
}

/**
 * A file of Parquet with the properties of events of a day. The file is written before any block refers to it, and removed
 * after the last block has ceased to, so that no crash leaves a file that no row knows.
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

  /** The transaction after which no block refers to the file. Snapshots from before this transaction still read the file. */
  @Column('bigint', { name: 'removed_xid', nullable: true })
  removedXid: string | null;
}

/** Events whose properties are to move into blocks. A hint only: an event that is missing here is found by the next walk. */
@Entity('unsealed_events')
export class UncompressedEvents {
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

/**
 * How far the log of a project has been walked for uncompressed events that are not queued, such as all events of a restored
 * backup. A project without a row is walked from the beginning.
 */
@Entity('sealing_walks')
export class CompressionWalk {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** The last uuid that the walk has reached; null before the first. */
  @Column('uuid', { name: 'walked_until', nullable: true })
  walkedUntil: string | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt: Date | null;
}
