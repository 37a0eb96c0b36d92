import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An import can go on without its client: its lines are kept until they are worked on. */
export class ImportsAsJobs1764802000000 implements MigrationInterface {
  name = 'ImportsAsJobs1764802000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_jobs (
        project_id integer NOT NULL REFERENCES projects (id),
        id uuid NOT NULL,
        status text NOT NULL CHECK (status IN ('receiving', 'queued', 'running', 'done', 'failed')),
        source text NOT NULL CHECK (source IN ('request', 'file')),
        apply_person_properties boolean NOT NULL,
        create_persons boolean NOT NULL,
        created_by integer,
        request_id text,
        created_at timestamptz NOT NULL,
        rows bigint,
        rows_read bigint NOT NULL DEFAULT 0,
        persons bigint NOT NULL DEFAULT 0,
        events bigint NOT NULL DEFAULT 0,
        duplicates bigint NOT NULL DEFAULT 0,
        rejected_count bigint NOT NULL DEFAULT 0,
        rejected jsonb NOT NULL DEFAULT '[]',
        failures integer NOT NULL DEFAULT 0,
        error text,
        finished_at timestamptz,
        PRIMARY KEY (project_id, id)
      )`);
    await runner.query(`
      CREATE INDEX import_jobs_unfinished ON import_jobs (project_id, created_at) WHERE finished_at IS NULL`);
    await runner.query(`
      CREATE TABLE import_pieces (
        project_id integer NOT NULL,
        job_id uuid NOT NULL,
        position integer NOT NULL,
        received_at timestamptz NOT NULL,
        lines bytea NOT NULL,
        PRIMARY KEY (project_id, job_id, position),
        FOREIGN KEY (project_id, job_id) REFERENCES import_jobs (project_id, id)
      )`);
    // The lines are packed already.
    await runner.query(`ALTER TABLE import_pieces ALTER COLUMN lines SET STORAGE EXTERNAL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE import_pieces, import_jobs`);
  }
}
