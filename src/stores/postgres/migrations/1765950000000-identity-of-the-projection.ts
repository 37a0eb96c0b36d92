import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Whose projection a ClickHouse has, for which release, and whether it has all of it. The row is made before anything is shipped, so it may say
 * nothing about shipments yet.
 */
export class IdentityOfTheProjection1765950000000 implements MigrationInterface {
  name = 'IdentityOfTheProjection1765950000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projection_state ALTER COLUMN last_shipment DROP NOT NULL, ALTER COLUMN last_shipped_at DROP NOT NULL,
        ADD COLUMN identity uuid,
        ADD COLUMN generation integer NOT NULL DEFAULT 0,
        ADD COLUMN is_filled boolean NOT NULL DEFAULT true,
        ADD COLUMN version integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM projection_state WHERE last_shipment IS NULL OR last_shipped_at IS NULL`);
    await runner.query(`
      ALTER TABLE projection_state DROP COLUMN identity, DROP COLUMN generation, DROP COLUMN is_filled, DROP COLUMN version,
        ALTER COLUMN last_shipment SET NOT NULL, ALTER COLUMN last_shipped_at SET NOT NULL`);
  }
}
