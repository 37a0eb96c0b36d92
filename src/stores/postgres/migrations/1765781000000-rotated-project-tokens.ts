import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class RotatedProjectTokens1765781000000 implements MigrationInterface {
  name = 'RotatedProjectTokens1765781000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projects
        ADD COLUMN previous_api_token text,
        ADD COLUMN previous_api_token_until timestamptz,
        ADD CONSTRAINT projects_previous_api_token_key UNIQUE (previous_api_token),
        ADD CONSTRAINT projects_previous_api_token_check
          CHECK ((previous_api_token IS NULL) = (previous_api_token_until IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects DROP COLUMN previous_api_token, DROP COLUMN previous_api_token_until');
  }
}
