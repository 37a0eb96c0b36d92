import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What a transaction of one project needs on its node of Citus, so that it writes to no other: the row of the project that it
 * locks, and the changes that wait for the outbox. Both are empty without Citus.
 */
export class TablesOfNodes1765910000000 implements MigrationInterface {
  name = 'TablesOfNodes1765910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_gates (
        project_id integer PRIMARY KEY,
        deleted_at timestamptz,
        quota_events_per_day integer
      )`);
    await runner.query(`
      CREATE TABLE node_outbox (
        project_id integer NOT NULL,
        id bigint NOT NULL DEFAULT nextval('outbox_id_seq'),
        kind text NOT NULL,
        refs jsonb NOT NULL,
        size integer NOT NULL,
        created_at timestamptz NOT NULL,
        is_arrival boolean NOT NULL,
        PRIMARY KEY (project_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE node_outbox, project_gates');
  }
}
