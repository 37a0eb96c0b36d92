import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The resources of ClickHouse that the statements of a project have used in one hour, in UTC. Hours older than a day are removed.
 */
@Entity('project_costs')
export class ProjectCost {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('timestamptz')
  hour: Date;

  /** A bigint, which the driver returns as text. */
  @Column('bigint')
  statements: string;

  @Column('double precision', { name: 'cpu_seconds' })
  cpuSeconds: number;

  @Column('bigint', { name: 'read_rows' })
  readRows: string;

  @Column('bigint', { name: 'read_bytes' })
  readBytes: string;
}
