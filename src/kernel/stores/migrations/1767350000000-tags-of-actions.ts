import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class TagsOfActions1767350000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE actions ADD COLUMN tags text[] NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE actions DROP COLUMN tags');
  }
}
