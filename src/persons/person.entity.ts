import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('persons')
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
