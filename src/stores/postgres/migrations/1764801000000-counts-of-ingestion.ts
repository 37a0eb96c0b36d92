import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What capture did with the events of each project, and which clients sent them. */
export class CountsOfIngestion1764801000000 implements MigrationInterface {
  name = 'CountsOfIngestion1764801000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingestion_counts (
        project_id integer NOT NULL REFERENCES projects (id),
        outcome text NOT NULL,
        reason text NOT NULL,
        events bigint NOT NULL,
        last_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, outcome, reason)
      )`);
    await runner.query(`
      CREATE TABLE ingestion_libraries (
        project_id integer NOT NULL REFERENCES projects (id),
        name text NOT NULL,
        version text NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, name, version)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ingestion_libraries, ingestion_counts`);
  }
}
