import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The salts are unlogged: neither the write-ahead log nor a copy of the files has a salt, so that none outlives its day. They
 * belong to no project, because a salt alone says nothing about one.
 */
const statements = [
  `ALTER TABLE projects ADD COLUMN cookieless_visitors boolean NOT NULL DEFAULT false`,
  `CREATE UNLOGGED TABLE cookieless_salts (
    day date PRIMARY KEY,
    salt bytea NOT NULL
  )`,
];

export class CookielessVisitors1767100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE cookieless_salts`);
    await runner.query(`ALTER TABLE projects DROP COLUMN cookieless_visitors`);
  }
}
