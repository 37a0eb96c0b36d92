import { Check, Column, DeleteDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

export interface PathCleaningFilter {
  readonly regex: string;
  readonly alias: string;
}

/** A tenant. The table is global: all data of a tenant refers to it by `project_id`, and it refers to no other table. */
@Entity('projects')
@Unique('projects_uuid_key', ['uuid'])
@Unique('projects_api_token_key', ['apiToken'])
@Unique('projects_previous_api_token_key', ['previousApiToken'])
@Check('projects_previous_api_token_check', '(previous_api_token IS NULL) = (previous_api_token_until IS NULL)')
@Check('projects_week_start_day_check', 'week_start_day BETWEEN 0 AND 6')
export class Project {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('uuid')
  uuid: string;

  @Column('text')
  name: string;

  /** The token is public: it only allows writing events. */
  @Column('text', { name: 'api_token' })
  apiToken: string;

  /** The token before the last rotation. It still captures until `previousApiTokenUntil`. */
  @Column('text', { name: 'previous_api_token', nullable: true })
  previousApiToken: string | null;

  @Column('timestamptz', { name: 'previous_api_token_until', nullable: true })
  previousApiTokenUntil: Date | null;

  @Column('text')
  timezone: string;

  /** 0 is Sunday. */
  @Column('smallint', { name: 'week_start_day' })
  weekStartDay: number;

  @Column('jsonb', { name: 'person_display_name_properties' })
  personDisplayNameProperties: string[];

  @Column('jsonb', { name: 'test_account_filters' })
  testAccountFilters: object[];

  @Column('jsonb', { name: 'path_cleaning_filters' })
  pathCleaningFilters: PathCleaningFilter[];

  /** Events older than this are removed; null: no event is removed. */
  @Column('integer', { name: 'events_ttl_days', nullable: true })
  eventsTtlDays: number | null;

  /** The names of events that are kept for another number of days, or for ever (null). */
  @Column('jsonb', { name: 'events_ttl_days_by_name', default: {} })
  eventsTtlDaysByName: Readonly<Record<string, number | null>>;

  /** How many events the project may store a day, in UTC; null: any number. */
  @Column('integer', { name: 'quota_events_per_day', nullable: true })
  quotaEventsPerDay: number | null;

  /** How many cohorts the project may have, deleted ones not counted; null: any number. */
  @Column('integer', { name: 'quota_cohorts', nullable: true })
  quotaCohorts: number | null;

  @Column('integer', { name: 'quota_members', nullable: true })
  quotaMembers: number | null;

  /** True if requests with personal data leave an entry in the audit trail. */
  @Column('boolean', { name: 'audit_reads', default: false })
  auditReads: boolean;

  /** True if visitors in cookieless mode are distinguished by a hash that changes each day. */
  @Column('boolean', { name: 'cookieless_visitors', default: false })
  cookielessVisitors: boolean;

  /** The properties of persons and groups that the public token cannot change. */
  @Column('jsonb', { name: 'protected_person_properties', default: [] })
  protectedPersonProperties: string[];

  @Column('jsonb', { name: 'protected_group_properties', default: [] })
  protectedGroupProperties: string[];

  /** True if the public token cannot merge identified persons. */
  @Column('boolean', { name: 'protected_merges', default: false })
  protectedMerges: boolean;

  /** True if no link shows a dashboard of the project without an account. */
  @Column('boolean', { name: 'dashboard_links_forbidden', default: false })
  dashboardLinksForbidden: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  /**
   * From this moment on, no request finds the project, and a job removes all its data, this row last. TypeORM repositories
   * leave the row out.
   */
  @DeleteDateColumn({ type: 'timestamptz', name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
