import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Group } from '../groups/group.entity.js';
import { Person } from '../identity/person.entity.js';
import { Cohort } from './cohort.entity.js';

@Entity('static_cohort_members')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'static_cohort_members_project_id_cohort_id_fkey',
})
@ForeignKey(() => Person, ['projectId', 'personId'], ['projectId', 'id'], {
  name: 'static_cohort_members_project_id_person_id_fkey',
  onDelete: 'CASCADE',
})
@Index('static_cohort_members_person', ['projectId', 'personId'])
export class StaticCohortMember {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint', { name: 'person_id' })
  personId: string;

  @Column('timestamptz', { name: 'added_at' })
  addedAt: Date;

  /** The number of the last upload that named the person. */
  @Column('integer', { nullable: true })
  upload: number | null;
  /** The last run of the cohort's query that selected the person, or during which the person was added. */
  @Column('integer', { name: 'query_run', default: 0 })
  queryRun: number;
}

/**
 * A member of a static cohort of groups. The ids of groups and of persons are different numbers, so each has a table of its
 * own.
 */
@Entity('static_cohort_groups')
@ForeignKey(() => Cohort, ['projectId', 'cohortId'], ['projectId', 'id'], {
  name: 'static_cohort_groups_project_id_cohort_id_fkey',
})
@ForeignKey(() => Group, ['projectId', 'groupId'], ['projectId', 'id'], {
  name: 'static_cohort_groups_project_id_group_id_fkey',
  onDelete: 'CASCADE',
})
@Index('static_cohort_groups_group', ['projectId', 'groupId'])
export class StaticCohortGroup {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'cohort_id' })
  cohortId: number;

  /** bigint arrives as text; every id is below 2^53. */
  @PrimaryColumn('bigint', { name: 'group_id' })
  groupId: string;

  @Column('timestamptz', { name: 'added_at' })
  addedAt: Date;

  @Column('integer', { nullable: true })
  upload: number | null;

  @Column('integer', { name: 'query_run', default: 0 })
  queryRun: number;
}
