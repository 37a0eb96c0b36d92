import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Tiles with a place and a height, texts between them, and filters and a breakdown for all tiles. */
export class Boards1767960000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dashboards
      ADD COLUMN properties jsonb,
      ADD COLUMN breakdown_filter jsonb,
      ADD COLUMN texts jsonb NOT NULL DEFAULT '[]'`);
    await runner.query(
      `ALTER TABLE dashboard_tiles ADD COLUMN x integer, ADD COLUMN y integer, ADD COLUMN height integer`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dashboard_tiles DROP COLUMN x, DROP COLUMN y, DROP COLUMN height`);
    await runner.query(
      `ALTER TABLE dashboards DROP COLUMN properties, DROP COLUMN breakdown_filter, DROP COLUMN texts`,
    );
  }
}
