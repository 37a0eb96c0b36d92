import { type MigrationInterface, type QueryRunner } from 'typeorm';

// A process of the release before would take a request without distinct ids for one without events: the second check keeps it
// from calling such a request done.
const statements = [
  `ALTER TABLE deletion_requests
    ADD COLUMN kind text NOT NULL DEFAULT 'person',
    ADD COLUMN received_up_to timestamptz,
    ADD COLUMN criteria jsonb,
    ADD COLUMN events_selected bigint,
    ADD COLUMN events_scrubbed bigint NOT NULL DEFAULT 0,
    ADD COLUMN remaining jsonb,
    ADD CONSTRAINT deletion_requests_kind_check CHECK (kind IN ('person', 'events', 'properties', 'group')),
    ADD CONSTRAINT deletion_requests_remaining_check CHECK (kind = 'person' OR state <> 'done' OR remaining IS NOT NULL)`,
  `CREATE TABLE deletion_request_events (
    project_id integer NOT NULL,
    request_id uuid NOT NULL,
    position integer NOT NULL,
    uuids uuid[] NOT NULL,
    scrub jsonb,
    PRIMARY KEY (project_id, request_id, position),
    FOREIGN KEY (project_id, request_id) REFERENCES deletion_requests (project_id, id) ON DELETE CASCADE
  )`,
];

const added = ['kind', 'received_up_to', 'criteria', 'events_selected', 'events_scrubbed', 'remaining'];

export class DeletionsByQuestion1767600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deletion_request_events');
    await runner.query(`ALTER TABLE deletion_requests ${added.map((name) => `DROP COLUMN ${name}`).join(', ')}`);
  }
}
