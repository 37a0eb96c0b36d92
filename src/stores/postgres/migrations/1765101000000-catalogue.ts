import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What a project says about the names of its events and properties. */
export class Catalogue1765101000000 implements MigrationInterface {
  name = 'Catalogue1765101000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE definitions (
        project_id integer NOT NULL REFERENCES projects (id),
        kind text NOT NULL CHECK (kind IN ('event', 'event_property', 'person_property')),
        name text NOT NULL,
        description text NOT NULL,
        owner integer,
        hidden boolean NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, kind, name)
      )`);
    await runner.query(`CREATE INDEX definitions_hidden ON definitions (project_id, kind) WHERE hidden`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE definitions`);
  }
}
