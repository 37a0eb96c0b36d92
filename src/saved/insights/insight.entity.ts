import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../../auth/users/user.entity.js';
import { Project } from '../../kernel/projects/project.entity.js';
import { type QuestionType } from '../questions/question.js';

/** A saved question. */
@Entity('insights')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'insights_project_id_fkey' })
export class Insight {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('text')
  type: QuestionType;

  /** The parameters of the question, as they were sent. */
  @Column('jsonb')
  params: Readonly<Record<string, unknown>>;

  /** The node from which the question was made; null for a question that was sent as such. */
  @Column('jsonb', { nullable: true })
  query: Readonly<Record<string, unknown>> | null;

  /** The names of events in the question. */
  @Column('text', { array: true })
  events: string[];

  @Column('text', { name: 'event_properties', array: true })
  eventProperties: string[];

  @Column('text', { name: 'person_properties', array: true })
  personProperties: string[];

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** An insight that a user has marked. */
@Entity('insight_favourites')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'insight_favourites_user_id_fkey', onDelete: 'CASCADE' })
@ForeignKey(() => Insight, ['projectId', 'insightId'], ['projectId', 'id'], {
  name: 'insight_favourites_project_id_insight_id_fkey',
  onDelete: 'CASCADE',
})
export class InsightFavourite {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'insight_id' })
  insightId: number;

  @PrimaryColumn('integer', { name: 'user_id' })
  userId: number;
}
