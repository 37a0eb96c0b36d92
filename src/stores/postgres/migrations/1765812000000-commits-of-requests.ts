import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A request with an `Idempotency-Key` notes its commits together with its work, so that it is not done again when its answer is lost. */
export class CommitsOfRequests1765812000000 implements MigrationInterface {
  name = 'CommitsOfRequests1765812000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys ADD COLUMN last_commit uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE idempotency_keys DROP COLUMN last_commit');
  }
}
