import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What is known of the deletion of a project outlives the project. */
export class ReceiptsOfDeletedProjects1765801000000 implements MigrationInterface {
  name = 'ReceiptsOfDeletedProjects1765801000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_deletions (
        id uuid PRIMARY KEY,
        deleted_project_id integer NOT NULL UNIQUE,
        project_uuid uuid NOT NULL,
        project_name text NOT NULL,
        requested_by integer,
        request_id text,
        requested_at timestamptz NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'running', 'completed')),
        started_at timestamptz,
        removed_from_postgresql jsonb NOT NULL DEFAULT '{}',
        removed_from_clickhouse jsonb,
        completed_at timestamptz,
        verified_at timestamptz,
        settled_at timestamptz,
        error text
      )`);
    await runner.query(`
      CREATE INDEX project_deletions_open ON project_deletions (requested_at, id) WHERE settled_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE project_deletions`);
  }
}
