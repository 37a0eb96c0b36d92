import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Dashboard } from '../dashboards/dashboard.entity.js';
import { type BoardMessage } from './board-message.js';
import { type Weekday } from './due-times.js';

/** Why a dashboard was not sent, or not to every address. */
export interface ScheduleProblem {
  readonly detail: string;
  readonly at: string;
}

/** Sends the numbers of a dashboard each day or week, to addresses and to webhooks. */
@Entity('dashboard_schedules')
@ForeignKey(() => Dashboard, ['projectId', 'dashboardId'], ['projectId', 'id'], {
  name: 'dashboard_schedules_dashboard_fkey',
  onDelete: 'CASCADE',
})
@Check(
  'dashboard_schedules_weekday_check',
  "weekday IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')",
)
@Index('dashboard_schedules_of_dashboard', ['projectId', 'dashboardId'])
@Index('dashboard_schedules_due', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
export class DashboardSchedule {
  @PrimaryColumn('integer', { name: 'project_id' })
  projectId: number;

  @PrimaryColumn('uuid')
  id: string;

  @Column('integer', { name: 'dashboard_id' })
  dashboardId: number;

  @Column('text', { array: true })
  addresses: string[];

  /** True if webhooks of the project that list `dashboard.sent` get it. */
  @Column('boolean')
  webhooks: boolean;

  /** Null: every day. */
  @Column('text', { nullable: true })
  weekday: Weekday | null;

  /** In the time zone of the project. */
  @Column('smallint')
  hour: number;

  /** It sends while this user may change dashboards of the project, if a session made it. */
  @Column('integer', { name: 'created_by' })
  createdBy: number;

  /** The key that made it: it sends while the key is valid. Null: a session. */
  @Column('uuid', { name: 'made_by_key', nullable: true })
  madeByKey: string | null;

  /** The next moment for which nothing is sent yet. */
  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;

  /** Null once it has ended. */
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** The addresses in `waiting` are to get it. */
  @Column('jsonb', { nullable: true })
  message: BoardMessage | null;

  @Column('text', { array: true })
  waiting: string[];

  /** How many attempts have failed since the last one that succeeded. */
  @Column('integer')
  failures: number;

  @Column('jsonb', { nullable: true })
  problem: ScheduleProblem | null;

  @Column('timestamptz', { name: 'last_sent_at', nullable: true })
  lastSentAt: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
