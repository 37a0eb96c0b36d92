import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which person a distinct id means now. Rows change hands only while the persons' rows are locked. */
@Entity('person_distinct_ids')
export class PersonDistinctId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  /** The order in which a person's ids came. */
  @Column({ type: 'bigint', insert: false, update: false })
  position: string;
}
