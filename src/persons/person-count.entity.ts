import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of a project's persons is the sum of its slots. */
@Entity('person_counts')
export class PersonCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Each writing connection has a slot of its own, so that writers never wait for each other; slot 0 collects old ones. */
  @PrimaryColumn('integer')
  slot: number;

  @Column('bigint')
  persons: string;
}
