import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Unlogged: after a crash of PostgreSQL the windows begin again. */
export class RateWindows1765760000000 implements MigrationInterface {
  name = 'RateWindows1765760000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE rate_windows (
        policy text NOT NULL,
        name text NOT NULL,
        ends_at timestamptz NOT NULL,
        used integer NOT NULL,
        granted integer NOT NULL,
        PRIMARY KEY (policy, name)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_windows');
  }
}
