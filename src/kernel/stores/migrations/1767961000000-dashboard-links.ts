import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class DashboardLinks1767961000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE dashboard_links (
      project_id integer NOT NULL,
      id uuid NOT NULL,
      dashboard_id integer NOT NULL,
      digest bytea NOT NULL,
      created_by integer NOT NULL,
      made_by_key uuid,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, id),
      CONSTRAINT dashboard_links_digest_key UNIQUE (project_id, digest),
      CONSTRAINT dashboard_links_dashboard_fkey FOREIGN KEY (project_id, dashboard_id)
        REFERENCES dashboards (project_id, id) ON DELETE CASCADE
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE dashboard_links`);
  }
}
