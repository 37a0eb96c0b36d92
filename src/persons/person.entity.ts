import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

@Entity('persons')
@Unique('persons_project_id_uuid_key', ['projectId', 'uuid'])
// The index is newest first, which TypeORM cannot express.
@Index('persons_newest', { synchronize: false })
export class Person {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: string;

  @Column('uuid')
  uuid: string;

  @Column('jsonb')
  properties: object;

  @Column('boolean', { name: 'is_identified' })
  isIdentified: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
