import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** People sign in: passwords, sessions, members of projects with roles, invitations, and owners of the installation. */
export class Accounts1765000000000 implements MigrationInterface {
  name = 'Accounts1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN password_hash text,
        ADD COLUMN is_owner boolean NOT NULL DEFAULT false`);
    // A key with every right on every project is what an owner has, so its user becomes one.
    await runner.query(`
      UPDATE users SET is_owner = true
      WHERE id IN (SELECT user_id FROM personal_api_keys
                   WHERE '*' = ANY (scopes) AND project_ids IS NULL AND (expires_at IS NULL OR expires_at > now()))`);
    await runner.query(`ALTER TABLE personal_api_keys ADD COLUMN of_session boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY,
        user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        digest bytea NOT NULL UNIQUE,
        address text NOT NULL,
        user_agent text NOT NULL,
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX sessions_user ON sessions (user_id, created_at, id)`);
    await runner.query(`
      CREATE TABLE one_time_links (
        id uuid PRIMARY KEY,
        user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        purpose text NOT NULL CHECK (purpose IN ('sign_in', 'set_password')),
        digest bytea NOT NULL UNIQUE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX one_time_links_user ON one_time_links (user_id)`);
    await runner.query(`
      CREATE TABLE project_members (
        project_id integer NOT NULL REFERENCES projects (id),
        user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin')),
        joined_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, user_id)
      )`);
    await runner.query(`CREATE INDEX project_members_user ON project_members (user_id)`);
    await runner.query(`
      CREATE TABLE invitations (
        project_id integer NOT NULL REFERENCES projects (id),
        id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin')),
        digest bytea NOT NULL,
        invited_by integer REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, id)
      )`);
    await runner.query(`CREATE INDEX invitations_digest ON invitations (digest)`);
    await runner.query(`CREATE INDEX invitations_invited_by ON invitations (invited_by)`);
    // A user can be removed; what the user made stays, and is then shown as made by none.
    for (const table of ['cohorts', 'actions'])
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_created_by_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['cohorts', 'actions'])
      await runner.query(`
        ALTER TABLE ${table}
          ADD CONSTRAINT ${table}_created_by_fkey FOREIGN KEY (created_by) REFERENCES users (id) NOT VALID`);
    await runner.query(`DROP TABLE invitations, project_members, one_time_links, sessions`);
    await runner.query(`ALTER TABLE personal_api_keys DROP COLUMN of_session`);
    await runner.query(`ALTER TABLE users DROP COLUMN password_hash, DROP COLUMN is_owner`);
  }
}
