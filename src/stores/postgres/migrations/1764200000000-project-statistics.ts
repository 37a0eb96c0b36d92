import { type MigrationInterface, type QueryRunner } from 'typeorm';

const tables = [
  'events',
  'persons',
  'person_distinct_ids',
  'person_redirects',
  'static_cohort_members',
  'activity_log',
  'cohorts',
  'deletion_requests',
];

/**
 * What was last counted says that a project which came since has no rows. By that any index beginning with the project
 * is as good as the one of the key asked for, and each of a thousand keys may read the whole project. So no statistics
 * are kept on project_id: each project counts as a small part of the table. Naming its type drops those kept so far.
 */
export class ProjectStatistics1764200000000 implements MigrationInterface {
  name = 'ProjectStatistics1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await runner.query(
        `ALTER TABLE ${table} ALTER COLUMN project_id SET STATISTICS 0, ALTER COLUMN project_id TYPE integer`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN project_id SET STATISTICS -1`);
    }
  }
}
