import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type QuestionRequest } from '../../analytics/asking/parameter-docs.js';
import { sendChunks, sendCsvBatches } from '../../common/csv/csv.js';
import { keepAnswer } from '../../idempotency/keyed-answers.js';
import { ExportPlaces } from '../../persons/csv/export-places.js';
import { readAsked, type Asked } from './asked.js';
import { QueryService, type Asking } from './query.service.js';
import { batchesOf, ndjsonOf, uniqueNames } from './rows.js';

const types = { ndjson: 'application/x-ndjson', parquet: 'application/vnd.apache.parquet' } as const;

/** Sends the answer to a question in the form that the request names. */
@Injectable()
export class SendAnswers {
  constructor(
    private readonly queries: QueryService,
    private readonly places: ExportPlaces,
  ) {}

  async send({ params, project, now, signal, request, response }: QuestionRequest): Promise<void> {
    const asked = readAsked(params);
    const asking = { project, now, signal };
    if (asked.format === 'json') {
      const answer = await this.queries.answer(asked, asking);
      await keepAnswer(request);
      response.type('application/json').send(answer);
      return;
    }
    await this.places.during(project, async () => {
      await this.sendFile(response, asked, asking, () => keepAnswer(request));
    });
  }

  private async sendFile(response: Response, asked: Asked, asking: Asking, keep: () => Promise<void>): Promise<void> {
    const ready = await this.queries.prepare(asked, asking, 0);
    const names = uniqueNames(ready.outputs.map(({ name }) => name));
    if (asked.format === 'parquet') {
      const file = await this.queries.send(this.queries.named(ready, names), asked, asking, 'Parquet');
      await keep();
      response.set('Content-Disposition', 'attachment; filename="query.parquet"').type(types.parquet).send(file);
      return;
    }
    const answer = await this.queries.send(ready, asked, asking, 'JSONCompactEachRow');
    await keep();
    if (asked.format === 'csv') return sendCsvBatches(response, 'query.csv', names, batchesOf(answer));
    response.status(200).type(types.ndjson).set('Content-Disposition', 'attachment; filename="query.ndjson"');
    await sendChunks(response, ndjsonOf(answer, names));
  }
}
