import { Column, type ColumnOptions, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Person } from './person.entity.js';

/** The types of TypeORM allow this for primary columns only; its schema builder supports it for every column. */
const identity = { generated: 'identity', generatedIdentity: 'BY DEFAULT' } as object as ColumnOptions;

/** Maps each distinct id to its person. Rows change hands only while the rows of the persons are locked. */
@Entity('person_distinct_ids')
@ForeignKey(() => Person, ['projectId', 'personId'], ['projectId', 'id'], {
  name: 'person_distinct_ids_project_id_person_id_fkey',
  onDelete: 'CASCADE',
})
@Index('person_distinct_ids_of_person', ['projectId', 'personId', 'position'])
@Index('person_distinct_ids_human', ['projectId', 'personId', 'position'], {
  where: "distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$'",
})
export class PersonDistinctId {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('text', { name: 'distinct_id' })
  distinctId: string;

  @Column('bigint', { name: 'person_id' })
  personId: string;

  /** The order in which a person's ids were added. */
  @Column({ type: 'bigint', ...identity, insert: false, update: false })
  position: string;
}
