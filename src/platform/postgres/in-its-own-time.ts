import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { type PgConnection } from './connection.js';

type Migration = new () => MigrationInterface;

const dayMs = 86_400_000;

/** The migration, whose statements about all events or persons may take longer than server and connection allow others. */
export const inItsOwnTime = (Original: Migration): Migration => {
  class Unhurried extends Original {
    override async up(runner: QueryRunner): Promise<void> {
      const connection = (await runner.connect()) as PgConnection;
      const { patienceMs } = connection;
      const ownsSession = this.transaction === false;
      await runner.query(`SET ${ownsSession ? 'SESSION' : 'LOCAL'} statement_timeout = 0`);
      connection.patienceMs = dayMs;
      try {
        await super.up(runner);
      } finally {
        connection.patienceMs = patienceMs;
        // Fails only when the connection is lost, and its settings with it.
        if (ownsSession) await runner.query('RESET statement_timeout').catch(() => undefined);
      }
    }
  }
  // The table of migrations has their names.
  return Object.defineProperty(Unhurried, 'name', { value: Original.name });
};
