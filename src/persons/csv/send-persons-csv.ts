import { type Response } from 'express';
import { sendCsv, type CsvRow } from '../../common/csv/csv.js';
import { DiskSpool } from '../../common/csv/disk-spool.js';
import { type Format } from '../../common/csv/format.js';
import { PersonColumns, type CsvPerson } from './person-columns.js';

class ClientGone extends Error {}

/**
 * Any number of persons from anywhere, with the columns named in `extra` beside those of every person. The columns need
 * every key that occurs, so all of them are fetched first and wait on disk.
 */
export const sendPersonsCsv = async <T extends CsvPerson>(
  response: Response,
  filename: string,
  persons: AsyncIterable<T>,
  extra: readonly string[] = [],
): Promise<void> => {
  const keys = new Set<string>();
  const spool = await DiskSpool.fill(persons, ({ properties }) => {
    if (response.destroyed) throw new ClientGone();
    for (const key of Object.keys(properties)) keys.add(key);
  }).catch((error: unknown) => {
    if (error instanceof ClientGone) return null;
    throw error;
  });
  if (!spool) return;
  try {
    const columns = new PersonColumns(keys, extra);
    await sendCsv(response, filename, columns.header, rowsOf(columns, spool.records()));
  } finally {
    await spool.remove();
  }
};

async function* rowsOf(columns: PersonColumns, persons: AsyncIterable<CsvPerson>): AsyncGenerator<CsvRow> {
  for await (const person of persons) yield columns.row(person);
}

/** Persons that are in memory already. */
export const sendPageCsv = (
  response: Response,
  filename: string,
  persons: readonly CsvPerson[],
  extra: readonly string[] = [],
): Promise<void> => {
  const columns = new PersonColumns(new Set(persons.flatMap(({ properties }) => Object.keys(properties))), extra);
  return sendCsv(
    response,
    filename,
    columns.header,
    persons.map((person) => columns.row(person)),
  );
};

/** One person as it was asked for; as CSV it is a file of one row. */
export const sendPerson = async (
  response: Response,
  format: Format,
  person: CsvPerson,
  extra: readonly string[] = [],
): Promise<void> => {
  if (format === 'csv') await sendPageCsv(response, `person-${person.id}.csv`, [person], extra);
  else response.json(person);
};
