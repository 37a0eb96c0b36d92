import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How much a project may have, and the events of each day, by which one of the quotas is counted. */
export class Quotas1765810000000 implements MigrationInterface {
  name = 'Quotas1765810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projects
        ADD COLUMN quota_events_per_day integer,
        ADD COLUMN quota_cohorts integer,
        ADD COLUMN quota_members integer`);
    // Without a key to projects, as the event log: whoever counts events has locked the project.
    await runner.query(`
      CREATE TABLE event_days (
        project_id integer NOT NULL,
        day date NOT NULL,
        events bigint NOT NULL,
        PRIMARY KEY (project_id, day)
      )`);
    // One row of a project changes with each commit.
    await runner.query(`ALTER TABLE event_days SET (fillfactor = 50)`);
    await runner.query(`ALTER TABLE arrivals ADD COLUMN uncounted integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE arrivals DROP COLUMN uncounted`);
    await runner.query(`DROP TABLE event_days`);
    await runner.query(`
      ALTER TABLE projects DROP COLUMN quota_events_per_day, DROP COLUMN quota_cohorts, DROP COLUMN quota_members`);
  }
}
