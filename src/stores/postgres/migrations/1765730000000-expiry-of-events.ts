import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How long a project keeps its events, and the runs that remove older ones. */
export class ExpiryOfEvents1765730000000 implements MigrationInterface {
  name = 'ExpiryOfEvents1765730000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projects
        ADD COLUMN events_ttl_days integer,
        ADD COLUMN events_ttl_days_by_name jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE TABLE expiry_runs (
        project_id integer NOT NULL REFERENCES projects (id),
        id uuid NOT NULL,
        run bigint NOT NULL,
        ttl_days integer,
        ttl_days_by_name jsonb NOT NULL,
        counted_from timestamptz NOT NULL,
        received_up_to timestamptz NOT NULL,
        state text NOT NULL CHECK (state IN ('running', 'done', 'stopped')),
        started_at timestamptz NOT NULL,
        swept_until_id text,
        swept_until_time timestamptz,
        deleted_in_pass bigint NOT NULL,
        swept_at timestamptz,
        events_deleted bigint NOT NULL,
        events_left bigint,
        verified_at timestamptz,
        error text,
        PRIMARY KEY (project_id, id)
      )`);
    await runner.query(`CREATE INDEX expiry_runs_newest ON expiry_runs (project_id, started_at DESC, id DESC)`);
    await runner.query(`CREATE INDEX expiry_runs_open ON expiry_runs (project_id, id) WHERE state = 'running'`);
    await runner.query(`
      CREATE TABLE expiry_run_events (
        project_id integer NOT NULL,
        expiry_run_id uuid NOT NULL,
        event text NOT NULL,
        deleted bigint NOT NULL,
        PRIMARY KEY (project_id, expiry_run_id, event),
        FOREIGN KEY (project_id, expiry_run_id) REFERENCES expiry_runs (project_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE expiry_run_events, expiry_runs`);
    await runner.query(`ALTER TABLE projects DROP COLUMN events_ttl_days, DROP COLUMN events_ttl_days_by_name`);
  }
}
