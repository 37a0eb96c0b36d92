import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Lists of persons without counting persons, and persons of many distinct ids without reading all of these. */
export class PersonCounts1763900003000 implements MigrationInterface {
  name = 'PersonCounts1763900003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE person_counts (
        project_id integer NOT NULL,
        slot integer NOT NULL,
        persons bigint NOT NULL,
        PRIMARY KEY (project_id, slot)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      INSERT INTO person_counts (project_id, slot, persons) SELECT project_id, 0, count(*) FROM persons GROUP BY project_id`);
    await runner.query(`
      CREATE TABLE distinct_id_counts (
        project_id integer NOT NULL,
        person_id bigint NOT NULL,
        distinct_ids bigint NOT NULL,
        PRIMARY KEY (project_id, person_id)
      )`);
    await runner.query(`
      CREATE INDEX person_distinct_ids_human ON person_distinct_ids (project_id, person_id, position)
      WHERE distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX person_distinct_ids_human`);
    await runner.query(`DROP TABLE distinct_id_counts, person_counts`);
  }
}
