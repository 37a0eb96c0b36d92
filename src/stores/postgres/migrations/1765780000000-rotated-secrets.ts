import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class RotatedSecrets1765780000000 implements MigrationInterface {
  name = 'RotatedSecrets1765780000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE personal_api_keys
        ADD COLUMN previous_digest bytea,
        ADD COLUMN previous_until timestamptz,
        ADD CONSTRAINT personal_api_keys_previous_digest_key UNIQUE (previous_digest),
        ADD CONSTRAINT personal_api_keys_previous_check CHECK ((previous_digest IS NULL) = (previous_until IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE personal_api_keys DROP COLUMN previous_digest, DROP COLUMN previous_until');
  }
}
