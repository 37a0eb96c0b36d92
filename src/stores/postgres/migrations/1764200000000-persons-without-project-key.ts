import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Every new person looked its project up once more and locked the project's row, one row for all who write. The token has
 * found the project, projects are never deleted, and the event log has no such key either.
 */
export class PersonsWithoutProjectKey1764200000000 implements MigrationInterface {
  name = 'PersonsWithoutProjectKey1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE persons DROP CONSTRAINT persons_project_id_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE persons ADD CONSTRAINT persons_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects (id)`);
  }
}
