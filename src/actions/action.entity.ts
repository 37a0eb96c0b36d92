import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../kernel/projects/project.entity.js';
import { type ActionStep } from '../filters/actions/steps.js';

@Entity('actions')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'actions_project_id_fkey' })
export class Action {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('jsonb')
  steps: ActionStep[];

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
