import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A project that is marked as deleted is found by no request. */
export class DeletedProjects1765800000000 implements MigrationInterface {
  name = 'DeletedProjects1765800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects ADD COLUMN deleted_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP COLUMN deleted_at`);
  }
}
