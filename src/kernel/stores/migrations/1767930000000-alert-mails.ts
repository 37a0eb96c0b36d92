import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AlertMails1767930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts ADD COLUMN subscribed_users integer[] NOT NULL DEFAULT '{}'`);
    await runner.query(`CREATE TABLE alert_mails (
      project_id integer NOT NULL REFERENCES projects (id),
      id uuid NOT NULL,
      notice_id bigint NOT NULL,
      user_id integer NOT NULL,
      attempts integer NOT NULL,
      next_attempt_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, id)
    )`);
    await runner.query(`CREATE INDEX alert_mails_due ON alert_mails (next_attempt_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE alert_mails`);
    await runner.query(`ALTER TABLE alerts DROP COLUMN subscribed_users`);
  }
}
