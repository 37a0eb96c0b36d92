import { type Request, type Response } from 'express';
import { sendCsv, type CsvRow, type CsvValue } from './csv.js';
import { type FormatQuery } from './format.dto.js';
import { invalidInput } from '../errors/problem.js';
import { countRows } from '../http/compression.js';
import { type Page, type PageQuery, type Slice, pageOf } from '../http/page.dto.js';

type Records<T> = AsyncIterable<T> | Iterable<T>;

/** A field of the record; or the name of the column, with a function that returns its value. */
type Column<T> = (keyof T & string) | readonly [name: string, valueIn: (record: T) => CsvValue];

export interface List<T> {
  readonly page: () => Promise<Page<T>>;
  readonly all: () => Records<T> | Promise<Records<T>>;
  readonly filename: string;
  readonly columns: readonly Column<T>[];
}

/** A list that sends its CSV itself, because the columns depend on the records. */
interface OwnCsv<T> extends Pick<List<T>, 'page'> {
  readonly sendPage: (records: readonly T[]) => Promise<void>;
  readonly sendAll: () => Promise<void>;
}

interface ListQuery extends FormatQuery {
  readonly page?: number;
}

/** Sends a page as JSON or CSV. CSV contains all records, unless the request names a limit or a page. */
export const sendList = async <T>(
  request: Request,
  response: Response,
  query: ListQuery,
  list: List<T> | OwnCsv<T>,
): Promise<void> => {
  const csv = 'columns' in list ? csvOf(response, list) : list;
  if (query.format === 'csv' && request.query.limit === undefined && query.page === undefined) return csv.sendAll();
  const page = await list.page();
  if (query.format === 'csv') return csv.sendPage(page.results);
  countRows(response, page.results.length);
  response.json(page);
};

const csvOf = <T>(response: Response, { filename, columns, all }: List<T>) => {
  const header = columns.map((column) => (typeof column === 'string' ? column : column[0]));
  const send = (records: Records<T>) => sendCsv(response, filename, header, rowsOf(records, columns));
  return { sendPage: send, sendAll: async () => send(await all()) };
};

async function* rowsOf<T>(records: Records<T>, columns: readonly Column<T>[]): AsyncGenerator<CsvRow> {
  for await (const record of records)
    yield columns.map((column) => (typeof column === 'string' ? record[column] : column[1](record)));
}

interface OffsetList<T> extends Omit<List<T>, 'page' | 'all'> {
  readonly page: (page: PageQuery) => Promise<Slice<T>>;
  readonly all: (offset: number) => ReturnType<List<T>['all']>;
}

/** Like `sendList`, for pages that are named by an offset or a page number. */
export const sendOffsetList = async <T>(
  request: Request,
  response: Response,
  query: ListQuery & Pick<PageQuery, 'limit'> & Partial<PageQuery>,
  list: OffsetList<T>,
): Promise<void> => {
  const { limit } = query;
  const window = { limit, offset: offsetOf(query) };
  const pageAt = (at: number) => ({ ...(query.page !== undefined && { page: at / limit + 1 }) });
  await sendList(request, response, query, {
    ...list,
    page: async () => pageOf(request, window, await list.page(window), pageAt),
    all: () => list.all(window.offset),
  });
};

/** A page number stands for an offset; both together must agree. */
const offsetOf = ({ limit, offset, page }: { limit: number; offset?: number; page?: number }): number => {
  if (page === undefined) return offset ?? 0;
  const begin = (page - 1) * limit;
  if (offset !== undefined && offset !== begin) {
    throw invalidInput(
      `page ${page} begins at offset ${begin}, not ${offset}: send only one of page and offset`,
      'page',
    );
  }
  return begin;
};
