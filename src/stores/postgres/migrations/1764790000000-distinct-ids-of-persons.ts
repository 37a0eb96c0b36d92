import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The projection of persons has their distinct ids, which questions in SQL read: all persons are shipped again. */
export class DistinctIdsOfPersons1764790000000 implements MigrationInterface {
  name = 'DistinctIdsOfPersons1764790000000';

  async up(runner: QueryRunner): Promise<void> {
    // Millions of persons take longer than a statement may.
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(`
      INSERT INTO outbox (project_id, kind, refs, size, created_at)
      SELECT project_id, 'persons', jsonb_agg(id::text ORDER BY id), count(*), now()
      FROM (
        SELECT project_id, id, (row_number() OVER (PARTITION BY project_id ORDER BY id) - 1) / 1000 AS slice FROM persons
      ) AS p
      GROUP BY project_id, slice
      ORDER BY project_id, slice`);
  }

  async down(): Promise<void> {
    // A person that is shipped once more is the same person.
  }
}
