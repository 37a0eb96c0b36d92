import { type Request, type Response } from 'express';
import { type Format } from '../../platform/csv/format.dto.js';
import { type PageQuery } from '../../platform/http/page-query.dto.js';
import { type Slice } from '../../platform/http/page.js';
import { sendOffsetList } from '../../platform/csv/send-list.js';

interface Named {
  readonly name: unknown;
  readonly count: number;
}

type Read = (page: PageQuery) => Promise<Slice<Named>>;

export const sendCounts = (
  request: Request,
  response: Response,
  filename: string,
  query: PageQuery & { readonly format: Format },
  read: Read,
): Promise<void> =>
  sendOffsetList(request, response, query, {
    page: read,
    // A refusal is answered before the table begins.
    all: async () => everything(await read(first), read),
    filename,
    columns: ['name', 'count'],
  });

const first = { limit: 10_000, offset: 0 };

async function* everything(slice: Slice<Named>, read: Read): AsyncGenerator<Named> {
  for (
    let { limit, offset } = first, { results } = slice;
    results.length > 0;
    { results } = await read({ limit, offset })
  ) {
    yield* results;
    if (results.length < limit) return;
    offset += limit;
  }
}
