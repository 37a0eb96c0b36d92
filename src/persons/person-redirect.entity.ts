import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person that is no more, and who took over what it had: never another one that was absorbed in turn. */
@Entity('person_redirects')
export class PersonRedirect {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint')
  source: string;

  @Column('bigint')
  target: string;
}
