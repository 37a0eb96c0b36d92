import { type QueryRunner } from 'typeorm';

type Connection = Readonly<
  Record<'query', (statement: string | { text: string; query_timeout: number }) => Promise<unknown>>
>;

const dayMs = 86_400_000;

/** For statements about all events, which take longer than server and connection allow others; outside of transactions. */
export const inItsOwnTime = async (runner: QueryRunner, statement: string): Promise<void> => {
  const connection = (await runner.connect()) as Connection;
  await connection.query('SET statement_timeout = 0');
  try {
    await connection.query({ text: statement, query_timeout: dayMs });
  } finally {
    await connection.query('RESET statement_timeout');
  }
};
