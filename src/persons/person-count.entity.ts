import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of a project's persons is the sum of its slots. */
@Entity('person_counts')
export class PersonCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** Each writing connection has its own, so that writers never wait for each other; 0 is where old ones are put. */
  @PrimaryColumn('integer')
  slot: number;

  @Column('bigint')
  persons: string;
}
