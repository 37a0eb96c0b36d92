import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class TrustedCapture1767910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects
      ADD COLUMN protected_person_properties jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN protected_group_properties jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN protected_merges boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects
      DROP COLUMN protected_person_properties,
      DROP COLUMN protected_group_properties,
      DROP COLUMN protected_merges`);
  }
}
