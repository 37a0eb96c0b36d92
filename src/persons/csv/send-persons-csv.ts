import { type Response } from 'express';
import { ClientGone } from '../../platform/errors/client-gone.js';
import { sendCsv, type CsvRow } from '../../platform/csv/csv.js';
import { DiskSpool } from '../../platform/csv/disk-spool.js';
import { type Format } from '../../platform/csv/format.dto.js';
import { OccurringKeys } from './occurring-keys.js';
import { PersonColumns, type CsvPerson } from './person-columns.js';

/**
 * Sends any number of persons from any source, with the columns named in `extra` after the common ones. The columns depend on
 * every key that occurs, so all persons are first written to a file on disk.
 */
export const sendPersonsCsv = async <T extends CsvPerson>(
  response: Response,
  filename: string,
  persons: AsyncIterable<T>,
  extra: readonly string[] = [],
): Promise<void> => {
  const keys = new OccurringKeys();
  const spool = await DiskSpool.fill(persons, ({ properties }) => {
    if (response.destroyed) throw new ClientGone();
    keys.addAll(properties);
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

function* rowsOfPage(columns: PersonColumns, persons: readonly CsvPerson[]): Generator<CsvRow> {
  for (const person of persons) yield columns.row(person);
}

/** Sends persons that are already in memory. */
export const sendPageCsv = (
  response: Response,
  filename: string,
  persons: readonly CsvPerson[],
  extra: readonly string[] = [],
): Promise<void> => {
  const columns = new PersonColumns(OccurringKeys.of(persons), extra);
  return sendCsv(response, filename, columns.header, rowsOfPage(columns, persons));
};

/** Sends one person in the requested format; as CSV, it is a file of one row. */
export const sendPerson = async (
  response: Response,
  format: Format,
  person: CsvPerson,
  extra: readonly string[] = [],
): Promise<void> => {
  if (format === 'csv') await sendPageCsv(response, `person-${person.id}.csv`, [person], extra);
  else response.json(person);
};
