import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An undo looks for the splits that made a person. */
export class PersonsOfSplits1765805000000 implements MigrationInterface {
  name = 'PersonsOfSplits1765805000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX person_split_ids_person ON person_split_ids (project_id, person_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX person_split_ids_person');
  }
}
