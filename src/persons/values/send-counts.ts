import { countRows } from '../../common/http/sent-rows.js';
import { type Request, type Response } from 'express';
import { sendCsv, type CsvRow } from '../../common/csv/csv.js';
import { type Format } from '../../common/csv/format.dto.js';
import { type PageQuery } from '../../common/pagination/page-query.dto.js';
import { pageOf, type Slice } from '../../common/pagination/page.js';

interface Named {
  readonly name: unknown;
  readonly count: number;
}

type List = (page: { limit: number; offset: number }) => Promise<Slice<Named>>;

export const sendCounts = async (
  request: Request,
  response: Response,
  filename: string,
  query: PageQuery & { readonly format: Format },
  list: List,
): Promise<void> => {
  const slice = await list(query.format === 'json' || request.query.limit !== undefined ? query : first);
  if (query.format === 'json') {
    countRows(response, slice.results.length);
    response.json(pageOf(request, query, slice));
    return;
  }
  const rows = request.query.limit === undefined ? everything(slice, list) : slice.results.map(toRow);
  await sendCsv(response, filename, ['name', 'count'], rows);
};

const toRow = ({ name, count }: Named): CsvRow => [name, count];

const first = { limit: 10_000, offset: 0 };

async function* everything(slice: Slice<Named>, list: List): AsyncGenerator<CsvRow> {
  for (
    let { limit, offset } = first, { results } = slice;
    results.length > 0;
    { results } = await list({ limit, offset })
  ) {
    for (const named of results) yield toRow(named);
    if (results.length < limit) return;
    offset += limit;
  }
}
