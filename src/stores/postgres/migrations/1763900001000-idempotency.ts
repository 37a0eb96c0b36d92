import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Answers kept for requests that may be sent again. Deleted after a day; they are not part of any project's data. */
export class Idempotency1763900001000 implements MigrationInterface {
  name = 'Idempotency1763900001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        project_id integer NOT NULL,
        user_id integer NOT NULL,
        route text NOT NULL,
        key text NOT NULL,
        request_hash bytea NOT NULL,
        holder uuid NOT NULL,
        held_until timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        status smallint,
        location text,
        body text,
        PRIMARY KEY (project_id, user_id, route, key)
      )`);
    await runner.query(`CREATE INDEX idempotency_keys_oldest ON idempotency_keys (held_until)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_keys`);
  }
}
