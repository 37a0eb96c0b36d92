import { type MigrationInterface, type QueryRunner } from 'typeorm';

const statements = [
  // Notices of persons and matches come in masses, so that a webhook of other types must not read them all.
  `CREATE INDEX notices_type ON notices (project_id, type, id)`,
  `CREATE TABLE action_watches (
    project_id integer NOT NULL REFERENCES projects (id),
    action_id integer NOT NULL,
    snapshot text NOT NULL,
    until text,
    after_xid bigint NOT NULL DEFAULT 0,
    after_id bigint NOT NULL DEFAULT 0,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, action_id)
  )`,
];

export class EventsOut1767920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE action_watches`);
    await runner.query(`DROP INDEX notices_type`);
  }
}
