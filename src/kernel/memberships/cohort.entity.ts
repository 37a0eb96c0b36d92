import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

@Entity('cohorts')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'cohorts_project_id_fkey' })
@Index('cohorts_owed', ['projectId', 'calculateAfter'], { where: 'is_calculating AND NOT deleted' })
export class Cohort {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('jsonb')
  groups: object[];

  @Column('jsonb', { nullable: true })
  filters: object | null;

  /** A SELECT as text, or an object around it, as it was sent. */
  @Column('jsonb', { nullable: true })
  query: string | object | null;

  /** The index of the type of the groups that are its members; null: its members are persons. Never changes. */
  @Column('smallint', { name: 'group_type_index', nullable: true })
  groupTypeIndex: number | null;

  @Column('boolean', { name: 'is_static' })
  isStatic: boolean;

  @Column('boolean')
  deleted: boolean;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /** The version number of the current members; null before the first calculation. */
  @Column('integer', { nullable: true })
  version: number | null;

  /** The version of the newest definition: larger than `version` while a calculation is queued. */
  @Column('integer', { name: 'pending_version' })
  pendingVersion: number;

  @Column('boolean', { name: 'is_calculating' })
  isCalculating: boolean;

  @Column('timestamptz', { name: 'last_calculation', nullable: true })
  lastCalculation: Date | null;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  lastAttemptAt: Date | null;

  @Column('integer', { name: 'errors_calculating' })
  errorsCalculating: number;

  @Column('jsonb', { name: 'calculation_error', nullable: true })
  calculationError: object | null;

  @Column('timestamptz', { name: 'calculate_after', nullable: true })
  calculateAfter: Date | null;

  /** The clock of the request that queued the calculation. */
  @Column('timestamptz', { name: 'calculation_now', nullable: true })
  calculationNow: Date | null;

  /** The last version that a calculation has started to write; no version is ever written twice. */
  @Column('integer', { name: 'attempted_version', default: 0 })
  attemptedVersion: number;

  /** Members of versions before this one have been removed. */
  @Column('integer', { name: 'swept_version', default: 0 })
  sweptVersion: number;

  /** The cohorts that the definition refers to. */
  @Column('integer', { name: 'depends_on', array: true, default: [] })
  dependsOn: number[];

  /** The actions that the definition names. */
  @Column('integer', { name: 'depends_on_actions', array: true, default: [] })
  dependsOnActions: number[];

  /** How often the query of a static cohort has run. */
  @Column('integer', { name: 'query_runs', default: 0 })
  queryRuns: number;

  /** How many persons the last run made members. */
  @Column('integer', { name: 'members_came', default: 0 })
  membersCame: number;

  /** How many members the last run did not select and thereby removed. */
  @Column('integer', { name: 'members_went', default: 0 })
  membersWent: number;

  /** Changes of members are recorded from this moment on. */
  @Column('timestamptz', { name: 'changes_from', nullable: true })
  changesFrom: Date | null;

  /** True if the definition has changed since the current members were calculated. */
  @Column('boolean', { name: 'is_redefined', default: false })
  isRedefined: boolean;

  /** The last recorded change when the current members began to count. */
  @Column('bigint', { name: 'last_switch', default: 0 })
  lastSwitch: string;

  /** Persons whom the current version has as members although they had departed before it began to count. */
  @Column('bigint', { name: 'departed_at_switch', array: true, default: [] })
  departedAtSwitch: string[];

  /**
   * Persons who became members, when the current version began to count, only because a departed member was merged into them.
   */
  @Column('bigint', { name: 'replaced_at_switch', array: true, default: [] })
  replacedAtSwitch: string[];

  /** The last change that was removed because of its age. */
  @Column('bigint', { name: 'forgotten_change', default: 0 })
  forgottenChange: string;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
