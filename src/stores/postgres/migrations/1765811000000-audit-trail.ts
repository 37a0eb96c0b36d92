import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Who has read personal data of a project that records it. */
export class AuditTrail1765811000000 implements MigrationInterface {
  name = 'AuditTrail1765811000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects ADD COLUMN audit_reads boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE audit_trail (
        project_id integer NOT NULL REFERENCES projects (id),
        id uuid NOT NULL,
        user_id integer NOT NULL,
        key_id uuid,
        operation text NOT NULL,
        ids jsonb NOT NULL,
        request_id text NOT NULL,
        created_at timestamptz NOT NULL,
        ended_at timestamptz,
        status smallint,
        rows bigint,
        is_complete boolean,
        PRIMARY KEY (project_id, id)
      )`);
    await runner.query(`CREATE INDEX audit_trail_of_user ON audit_trail (project_id, user_id, id)`);
    await runner.query(`CREATE INDEX audit_trail_of_key ON audit_trail (project_id, key_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE audit_trail`);
    await runner.query(`ALTER TABLE projects DROP COLUMN audit_reads`);
  }
}
