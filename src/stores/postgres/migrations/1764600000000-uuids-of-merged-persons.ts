import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A merged person is still found by its uuid, which was kept nowhere. Redirects to deleted persons helped no question. */
export class UuidsOfMergedPersons1764600000000 implements MigrationInterface {
  name = 'UuidsOfMergedPersons1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    // Millions of redirects take longer than a statement may.
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(`
      DELETE FROM person_redirects AS r
      WHERE NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = r.project_id AND p.id = r.target)`);
    await runner.query(`ALTER TABLE person_redirects ADD COLUMN uuid uuid`);
    await runner.query(`CREATE INDEX person_redirects_uuid ON person_redirects (project_id, uuid)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE person_redirects DROP COLUMN uuid`);
  }
}
