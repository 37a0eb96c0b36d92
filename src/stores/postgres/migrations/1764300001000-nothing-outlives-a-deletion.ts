import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Distinct ids stayed in entries about splits, and stored answers held whole persons after these were deleted. */
export class NothingOutlivesADeletion1764300001000 implements MigrationInterface {
  name = 'NothingOutlivesADeletion1764300001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE activity_log SET detail = jsonb_set(detail, '{changes}', (
        SELECT jsonb_agg(
          change || jsonb_build_object('after', jsonb_build_object(
            'distinct_ids', jsonb_array_length(change->'after'->'distinct_ids'),
            'distinct_ids_to_split', jsonb_array_length(change->'after'->'distinct_ids_to_split')
          )) ORDER BY place)
        FROM jsonb_array_elements(detail->'changes') WITH ORDINALITY AS c (change, place)
      ))
      WHERE scope = 'Person' AND activity = 'split_person'
        AND jsonb_typeof(detail->'changes'->0->'after'->'distinct_ids') = 'array'`);
    // Their contents are unknown, so they go. A request of the last day that is repeated runs again, as it would after a day.
    await runner.query(`DELETE FROM idempotency_keys WHERE status IS NOT NULL`);
    await runner.query(
      `CREATE INDEX ingestion_warnings_of_distinct_id ON ingestion_warnings (project_id, distinct_id)`,
    );
    await runner.query(`
      DELETE FROM deletion_request_ids i USING deletion_requests d
      WHERE d.project_id = i.project_id AND d.id = i.request_id AND d.settled_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ingestion_warnings_of_distinct_id`);
  }
}
