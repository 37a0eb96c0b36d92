import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The use of ClickHouse by the statements of a project in one hour, in UTC. Hours older than a day are removed. */
@Entity('project_costs')
export class ProjectCost {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('timestamptz')
  hour: Date;

  /** bigint arrives as text. */
  @Column('bigint')
  statements: string;

  @Column('double precision', { name: 'cpu_seconds' })
  cpuSeconds: number;

  @Column('bigint', { name: 'read_rows' })
  readRows: string;

  @Column('bigint', { name: 'read_bytes' })
  readBytes: string;
}
