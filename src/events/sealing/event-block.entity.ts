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

  /** Null when they are in a file. */
  @Column('bytea', { nullable: true })
  body: Buffer | null;

  /** The file that has them. */
  @Column('uuid', { nullable: true })
  archive: string | null;

  /** The first of their rows in the file, which follow each other. */
  @Column('integer', { name: 'archive_row', nullable: true })
  archiveRow: number | null;

  /** How often events of the block were deleted since it was cleaned of what it has of deleted events. */
  @Column('integer')
  removals: number;
}
