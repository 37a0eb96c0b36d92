import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The index of distinct ids had the timestamp for the walk along expired events alone, which made each of its keys a different one.
 * PostgreSQL keeps equal keys once, so without it the index is a fraction of its size. Expired events are found along the
 * primary key. Events are taken in meanwhile, which is why there is no transaction; so each step can be repeated.
 */
export class SmallIndexOfDistinctIds1765930000000 implements MigrationInterface {
  name = 'SmallIndexOfDistinctIds1765930000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE expiry_runs DROP COLUMN IF EXISTS swept_until_id, DROP COLUMN IF EXISTS swept_until_time,
        ADD COLUMN IF NOT EXISTS swept_until uuid`);
    // One whose creation was interrupted is there, but not used.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_by_distinct_id');
    await runner.query('CREATE INDEX CONCURRENTLY events_by_distinct_id ON events (project_id, distinct_id)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_of_distinct_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX events_of_distinct_id ON events (project_id, distinct_id, timestamp)');
    await runner.query('DROP INDEX events_by_distinct_id');
    await runner.query(`
      ALTER TABLE expiry_runs DROP COLUMN swept_until,
        ADD COLUMN swept_until_id text, ADD COLUMN swept_until_time timestamptz`);
  }
}
