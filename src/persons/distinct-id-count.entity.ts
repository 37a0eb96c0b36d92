import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many distinct ids a person has; stored only for persons with very many. */
@Entity('distinct_id_counts')
export class DistinctIdCount {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('bigint', { name: 'distinct_ids' })
  distinctIds: string;
}
