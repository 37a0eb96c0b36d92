import { countRows } from '../common/http/sent-rows.js';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { sendCsv, type CsvRow } from '../common/csv/csv.js';
import { cursorPageOf } from '../common/pagination/cursor.js';
import { type ProjectContext } from '../common/project-context.js';
import { type DistinctIdsQuery } from './distinct-id.dto.js';
import { DistinctIds, toDistinctIdDto, type DistinctIdPlace } from './distinct-ids.js';
import { type PersonRef } from './person-ref.js';

const header = ['distinct_id', 'looks_generated'];

const toRow = (place: DistinctIdPlace): CsvRow => {
  const { distinct_id, looks_generated } = toDistinctIdDto(place);
  return [distinct_id, looks_generated];
};

@Injectable()
export class DistinctIdsAnswers {
  constructor(private readonly distinctIds: DistinctIds) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    ref: PersonRef,
    query: DistinctIdsQuery,
  ): Promise<void> {
    const cursor = this.distinctIds.cursorOf(query);
    if (query.format === 'csv' && request.query.limit === undefined) {
      const everything = await this.distinctIds.all(project, ref);
      await sendCsv(response, 'distinct_ids.csv', header, rowsOf(everything));
      return;
    }
    const slice = await this.distinctIds.page(project, ref, query, cursor);
    const page = cursorPageOf(
      request,
      query,
      cursor,
      slice,
      ({ position }) => [position],
      (place) => place,
    );
    if (query.format === 'csv') await sendCsv(response, 'distinct_ids.csv', header, page.results.map(toRow));
    else {
      countRows(response, page.results.length);
      response.json({ ...page, results: page.results.map(toDistinctIdDto) });
    }
  }
}

async function* rowsOf(places: AsyncIterable<DistinctIdPlace>): AsyncGenerator<CsvRow> {
  for await (const place of places) yield toRow(place);
}
