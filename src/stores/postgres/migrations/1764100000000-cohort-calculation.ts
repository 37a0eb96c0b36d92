import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How calculations are told apart, what static cohorts are still to be filled with, and who absorbed whom. */
export class CohortCalculation1764100000000 implements MigrationInterface {
  name = 'CohortCalculation1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE cohorts
        ADD COLUMN attempted_version integer NOT NULL DEFAULT 0,
        ADD COLUMN swept_version integer NOT NULL DEFAULT 0,
        ADD COLUMN depends_on integer[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      CREATE INDEX cohorts_owed ON cohorts (project_id, calculate_after) WHERE is_calculating AND NOT deleted`);
    await runner.query(`
      CREATE TABLE cohort_candidates (
        project_id integer NOT NULL,
        cohort_id integer NOT NULL,
        position bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('id', 'uuid', 'distinct_id', 'email')),
        value text NOT NULL,
        PRIMARY KEY (project_id, cohort_id, position),
        FOREIGN KEY (project_id, cohort_id) REFERENCES cohorts (project_id, id)
      )`);
    await runner.query(`
      CREATE TABLE person_redirects (
        project_id integer NOT NULL REFERENCES projects (id),
        source bigint NOT NULL,
        target bigint NOT NULL,
        PRIMARY KEY (project_id, source)
      )`);
    await runner.query(`CREATE INDEX person_redirects_target ON person_redirects (project_id, target)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE person_redirects, cohort_candidates`);
    await runner.query(`DROP INDEX cohorts_owed`);
    await runner.query(`
      ALTER TABLE cohorts DROP COLUMN attempted_version, DROP COLUMN swept_version, DROP COLUMN depends_on`);
  }
}
