import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Which key made a key, so that revoking one revokes what it made; and a log of what happened to keys. */
export class KeysAndTheirMakers1764300000000 implements MigrationInterface {
  name = 'KeysAndTheirMakers1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE personal_api_keys ADD COLUMN parent_id uuid`);
    await runner.query(`CREATE INDEX personal_api_keys_parent ON personal_api_keys (parent_id)`);
    await runner.query(`
      CREATE TABLE account_activity (
        account_id integer NOT NULL,
        id uuid NOT NULL,
        scope text NOT NULL,
        item_id text NOT NULL,
        activity text NOT NULL,
        user_id integer,
        request_id text,
        detail jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (account_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE account_activity`);
    await runner.query(`ALTER TABLE personal_api_keys DROP COLUMN parent_id`);
  }
}
