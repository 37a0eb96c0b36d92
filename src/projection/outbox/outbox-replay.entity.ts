import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An outbox row that was shipped during a rebuild and must be shipped once more into the new tables. Node-local. */
@Entity('outbox_replay')
export class OutboxReplayRow {
  /** The id of the row in the outbox. bigint arrives as text. */
  @PrimaryColumn('bigint')
  id: string;

  @Column('integer', { name: 'project_id' })
  projectId: number;

  @Column('text')
  kind: string;

  @Column('jsonb')
  refs: object;

  @Column('integer')
  size: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
