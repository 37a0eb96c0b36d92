import { Column } from 'typeorm';

/** The columns of a row of the outbox, wherever the row waits. */
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
