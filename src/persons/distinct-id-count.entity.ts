import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of a person's distinct ids; stored only for persons with very many. */
@Entity('distinct_id_counts')
export class DistinctIdCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('bigint', { name: 'distinct_ids' })
  distinctIds: string;
}
