import { Column } from 'typeorm';

/** What a row of the outbox says, wherever it waits. */
export abstract class OutboxColumns {
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
