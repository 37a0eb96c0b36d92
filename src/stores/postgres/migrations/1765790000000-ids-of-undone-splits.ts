import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The persons of a split can come back one after the other, so each id has its own moment. */
export class IdsOfUndoneSplits1765790000000 implements MigrationInterface {
  name = 'IdsOfUndoneSplits1765790000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE person_split_ids ADD COLUMN undone_at timestamptz');
    await runner.query(`
      UPDATE person_split_ids AS i SET undone_at = s.undone_at FROM person_splits AS s
      WHERE s.project_id = i.project_id AND s.id = i.split_id AND s.undone_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE person_split_ids DROP COLUMN undone_at');
  }
}
