import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';

export const annotationScopes = ['project', 'dashboard', 'dashboard_item'] as const;

export type AnnotationScope = (typeof annotationScopes)[number];

/** A note about a moment, such as a release, that charts show. */
@Entity('annotations')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'annotations_project_id_fkey' })
@Check('annotations_scope_check', "scope IN ('project', 'dashboard', 'dashboard_item')")
@Index('annotations_by_date', ['projectId', 'dateMarker'])
export class Annotation {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  content: string;

  @Column('timestamptz', { name: 'date_marker' })
  dateMarker: Date;

  @Column('text')
  scope: AnnotationScope;

  /** The dashboard of an annotation with the scope `dashboard`. It may be deleted, and the annotation stays. */
  @Column('integer', { name: 'dashboard_id', nullable: true })
  dashboardId: number | null;

  /** The saved question of an annotation with the scope `dashboard_item`. It may be deleted, and the annotation stays. */
  @Column('integer', { name: 'insight_id', nullable: true })
  insightId: number | null;

  @Column('text', { name: 'creation_type' })
  creationType: string;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
