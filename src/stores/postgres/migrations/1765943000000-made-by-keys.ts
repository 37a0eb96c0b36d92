import { type MigrationInterface, type QueryRunner } from 'typeorm';

const tables = ['invitations', 'one_time_links', 'project_members', 'users', 'webhooks'];

/** A key that is revoked takes its open links with it, and whoever revokes it has to know what else it has made. */
export class MadeByKeys1765943000000 implements MigrationInterface {
  name = 'MadeByKeys1765943000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} ADD COLUMN made_by_key uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(`ALTER TABLE ${table} DROP COLUMN made_by_key`);
  }
}
