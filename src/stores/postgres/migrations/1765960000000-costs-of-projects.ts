import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What the statements of each project have taken of ClickHouse, by the hour. */
export class CostsOfProjects1765960000000 implements MigrationInterface {
  name = 'CostsOfProjects1765960000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_costs (
        project_id integer NOT NULL,
        hour timestamptz NOT NULL,
        statements bigint NOT NULL,
        cpu_seconds double precision NOT NULL,
        read_rows bigint NOT NULL,
        read_bytes bigint NOT NULL,
        PRIMARY KEY (project_id, hour)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE project_costs`);
  }
}
