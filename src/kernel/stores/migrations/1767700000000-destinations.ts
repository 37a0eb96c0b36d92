import { type MigrationInterface, type QueryRunner } from 'typeorm';

const added = {
  webhooks: [
    "format text NOT NULL DEFAULT 'standard'",
    'identifier jsonb',
    "properties text[] NOT NULL DEFAULT '{}'",
    'amplitude jsonb',
    'credentials jsonb',
  ],
  webhook_positions: [
    'generation integer NOT NULL DEFAULT 0',
    'page_after bigint',
    'page_number integer NOT NULL DEFAULT 0',
    'batch_limit integer',
    'receiver_cohort text',
  ],
  webhook_deliveries: ['page integer', 'pages integer', 'page_end bigint', 'skipped integer', 'path text', 'body text'],
};

const members = [
  `CREATE TABLE webhook_members (
    project_id integer NOT NULL,
    webhook_id integer NOT NULL,
    cohort_id integer NOT NULL,
    person_id bigint NOT NULL,
    identifier text NOT NULL,
    leaving uuid,
    PRIMARY KEY (project_id, webhook_id, cohort_id, person_id, identifier),
    CONSTRAINT webhook_members_webhook_fkey FOREIGN KEY (project_id, webhook_id) REFERENCES webhooks (project_id, id)
  )`,
  'CREATE INDEX webhook_members_identifier ON webhook_members (project_id, webhook_id, cohort_id, identifier)',
  `CREATE INDEX webhook_members_leaving ON webhook_members (project_id, webhook_id, cohort_id, leaving)
    WHERE leaving IS NOT NULL`,
];

export class Destinations1767700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(added))
      for (const column of columns) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    for (const statement of members) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_members');
    for (const [table, columns] of Object.entries(added))
      for (const column of columns) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column.split(' ')[0]}`);
  }
}
