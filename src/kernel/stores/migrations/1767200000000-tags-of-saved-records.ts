import { type MigrationInterface, type QueryRunner } from 'typeorm';

const tables = ['insights', 'dashboards'];

export class TagsOfSavedRecords1767200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} ADD COLUMN tags text[] NOT NULL DEFAULT '{}'`);
    await runner.query('ALTER TABLE insights ADD COLUMN query jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE insights DROP COLUMN query');
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN tags`);
  }
}
