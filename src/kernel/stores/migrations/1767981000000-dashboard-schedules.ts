import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class DashboardSchedules1767981000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE dashboard_schedules (
      project_id integer NOT NULL,
      id uuid NOT NULL,
      dashboard_id integer NOT NULL,
      addresses text[] NOT NULL,
      webhooks boolean NOT NULL,
      weekday text,
      hour smallint NOT NULL,
      created_by integer NOT NULL,
      made_by_key uuid,
      due_at timestamptz NOT NULL,
      next_attempt_at timestamptz,
      message jsonb,
      waiting text[] NOT NULL,
      failures integer NOT NULL,
      problem jsonb,
      last_sent_at timestamptz,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, id),
      CONSTRAINT dashboard_schedules_dashboard_fkey FOREIGN KEY (project_id, dashboard_id)
        REFERENCES dashboards (project_id, id) ON DELETE CASCADE,
      CONSTRAINT dashboard_schedules_weekday_check
        CHECK (weekday IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'))
    )`);
    await runner.query(
      `CREATE INDEX dashboard_schedules_of_dashboard ON dashboard_schedules (project_id, dashboard_id)`,
    );
    await runner.query(
      `CREATE INDEX dashboard_schedules_due ON dashboard_schedules (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dashboard_schedules`);
  }
}
