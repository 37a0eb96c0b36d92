import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Who changed what. An entry outlives what it is about, so nothing refers to persons or users. */
export class Activity1763900000000 implements MigrationInterface {
  name = 'Activity1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE activity_log (
        project_id integer NOT NULL REFERENCES projects (id),
        id uuid NOT NULL,
        scope text NOT NULL,
        item_id text NOT NULL,
        activity text NOT NULL,
        user_id integer,
        request_id text,
        detail jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, id)
      )`);
    await runner.query(`CREATE INDEX activity_log_of_item ON activity_log (project_id, scope, item_id, id)`);
    await runner.query(`CREATE INDEX activity_log_of_scope ON activity_log (project_id, scope, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE activity_log`);
  }
}
