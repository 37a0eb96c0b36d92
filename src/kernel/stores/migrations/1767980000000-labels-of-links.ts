import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class LabelsOfLinks1767980000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE dashboard_links ADD COLUMN label text NOT NULL DEFAULT ''`);
    await runner.query(`ALTER TABLE projects ADD COLUMN dashboard_links_forbidden boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN dashboard_links_forbidden`);
    await runner.query(`ALTER TABLE dashboard_links DROP COLUMN label`);
  }
}
