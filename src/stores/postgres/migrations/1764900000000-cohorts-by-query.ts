import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The query of a static cohort can run again: its members know the run that last selected them. */
export class CohortsByQuery1764900000000 implements MigrationInterface {
  name = 'CohortsByQuery1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE cohorts
        ADD COLUMN query_runs integer NOT NULL DEFAULT 0,
        ADD COLUMN members_came integer NOT NULL DEFAULT 0,
        ADD COLUMN members_went integer NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE static_cohort_members ADD COLUMN query_run integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE static_cohort_members DROP COLUMN query_run`);
    await runner.query(
      `ALTER TABLE cohorts DROP COLUMN query_runs, DROP COLUMN members_came, DROP COLUMN members_went`,
    );
  }
}
