import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Notices of persons come in masses, so that a webhook of other types must not read them all. */
export class EventsOut1767920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX notices_type ON notices (project_id, type, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX notices_type`);
  }
}
