import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Users sign in by an OpenID Connect provider: their accounts there, and the sign-ins that have begun. */
export class SingleSignOn1765500000000 implements MigrationInterface {
  name = 'SingleSignOn1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_accounts (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        connected_at timestamptz NOT NULL,
        PRIMARY KEY (issuer, subject),
        UNIQUE (user_id, issuer)
      )`);
    await runner.query(`
      CREATE TABLE sign_on_attempts (
        digest bytea PRIMARY KEY,
        return_to text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sign_on_attempts, provider_accounts`);
  }
}
