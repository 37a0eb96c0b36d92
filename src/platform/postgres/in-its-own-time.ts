import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { type PgConnection } from './connection.js';

type Migration = new () => MigrationInterface;

const dayMs = 86_400_000;

/** Frees a migration from time limits of server and connection, because its statements are about all events or persons. */
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
        // Fails only if the connection is lost, and its settings are lost with it.
        if (ownsSession) await runner.query('RESET statement_timeout').catch(() => undefined);
      }
    }
  }
  // The class keeps its name, because the table of migrations has it.
  return Object.defineProperty(Unhurried, 'name', { value: Original.name });
};
