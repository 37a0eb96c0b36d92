import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OutboxColumns } from './outbox-columns.js';

/** An outbox row that was shipped during a rebuild and must be shipped once more into the new tables. Node-local. */
@Entity('outbox_replay')
export class OutboxReplayRow extends OutboxColumns {
  /** The id of the row in the outbox. bigint arrives as text. */
  @PrimaryColumn('bigint')
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;
}
