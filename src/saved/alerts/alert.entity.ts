import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Project } from '../../kernel/projects/project.entity.js';
import { type AlertChange, type AlertCondition, type Threshold } from './alert-rule.js';
import { type CalculationInterval } from './schedule.js';

export interface AlertError {
  readonly code: string;
  readonly detail: string;
  readonly at: string;
}

/** Watches a number of a saved question, and tells when it leaves its bounds. */
@Entity('alerts')
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'alerts_project_id_fkey' })
@Check('alerts_calculation_interval_check', "calculation_interval IN ('hourly', 'daily', 'weekly', 'monthly')")
@Index('alerts_of_insight', ['projectId', 'insightId'])
@Index('alerts_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
export class Alert {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  id: number;

  @Column('text')
  name: string;

  /** It may be deleted: then the alert is disabled, and stays. */
  @Column('integer', { name: 'insight_id' })
  insightId: number;

  @Column('integer', { name: 'series_index' })
  seriesIndex: number;

  @Column('jsonb')
  condition: AlertCondition;

  /** Null for a band. */
  @Column('jsonb', { nullable: true })
  threshold: Threshold | null;

  @Column('text', { name: 'calculation_interval' })
  calculationInterval: CalculationInterval;

  @Column('boolean', { name: 'skip_weekend' })
  skipWeekend: boolean;

  @Column('boolean')
  enabled: boolean;

  /** Why the service has disabled the alert; null if a user has. */
  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: string | null;

  @Column('timestamptz', { name: 'snoozed_until', nullable: true })
  snoozedUntil: Date | null;

  /** The users who get mails. */
  @Column('integer', { name: 'subscribed_users', array: true, default: [] })
  subscribedUsers: number[];

  /** True if the last decided interval was a breach. */
  @Column('boolean')
  firing: boolean;

  /** Why the last check failed. */
  @Column('jsonb', { nullable: true })
  error: AlertError | null;

  /** How many checks have failed since the last one that succeeded. */
  @Column('integer')
  failures: number;

  /** The first moment whose interval is not decided yet. */
  @Column('timestamptz', { name: 'due_moment' })
  dueMoment: Date;

  /** Null while the alert is disabled. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  @Column('timestamptz', { name: 'last_checked_at', nullable: true })
  lastCheckedAt: Date | null;

  @Column('timestamptz', { name: 'last_notified_at', nullable: true })
  lastNotifiedAt: Date | null;

  @Column('integer', { name: 'created_by', nullable: true })
  createdBy: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** An interval that an alert has decided. Its primary key lets no process decide it again. */
@Entity('alert_checks')
@ForeignKey(() => Alert, ['projectId', 'alertId'], ['projectId', 'id'], {
  name: 'alert_checks_project_id_alert_id_fkey',
  onDelete: 'CASCADE',
})
@Check('alert_checks_change_check', "change IN ('fired', 'resolved')")
@Index('alert_checks_checked', ['checkedAt'])
export class AlertCheck {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('integer', { name: 'alert_id' })
  alertId: number;

  @PrimaryColumn('timestamptz', { name: 'interval_start' })
  intervalStart: Date;

  @Column('double precision')
  value: number;

  /** The number itself, or its change. Infinite for a change from 0. */
  @Column('double precision')
  compared: number;

  @Column('double precision', { nullable: true })
  lower: number | null;

  @Column('double precision', { nullable: true })
  upper: number | null;

  @Column('boolean')
  breached: boolean;

  @Column('text', { nullable: true })
  change: AlertChange | null;

  @Column('timestamptz', { name: 'checked_at' })
  checkedAt: Date;
}
