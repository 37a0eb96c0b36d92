import { countRows } from '../../platform/http/sent-rows.js';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type QuestionRequest } from '../../filters/asking/question-request.js';
import { sendCsvBatches } from '../../platform/csv/csv.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { storeAnswer } from '../../kernel/idempotency/keyed-answers.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { readQueryInput, type QueryInput } from './query-input.js';
import { QueryService, type Asking } from './query.service.js';
import { batchesOf, ndjsonOf, uniqueNames } from './rows.js';

const types = { ndjson: 'application/x-ndjson', parquet: 'application/vnd.apache.parquet' } as const;

const bytesPerChunk = 256 * 1024;

function* inPieces(head: string, rows: Buffer, tail: string): Generator<string | Buffer> {
  yield head;
  for (let from = 0; from < rows.length; from += bytesPerChunk) yield rows.subarray(from, from + bytesPerChunk);
  yield tail;
}

/** Sends the answer to a question in the form that the request names. */
@Injectable()
export class AnswerSender {
  constructor(private readonly queries: QueryService) {}

  async send({ params, project, now, signal, request, response }: QuestionRequest): Promise<void> {
    const input = readQueryInput(params);
    const asking = { project, now, signal };
    if (input.format === 'json') {
      const { pieces, count } = await this.queries.answer(input, asking);
      await storeAnswer(request);
      countRows(response, count);
      response.status(200).type('application/json');
      await sendStream(response, inPieces(...pieces));
      return;
    }
    await duringExport(project, async () => {
      await this.sendFile(response, input, asking, () => storeAnswer(request));
    });
  }

  private async sendFile(
    response: Response,
    input: QueryInput,
    asking: Asking,
    storeAnswer: () => Promise<void>,
  ): Promise<void> {
    const ready = await this.queries.prepare(input, asking, 0);
    const names = uniqueNames(ready.outputs.map(({ name }) => name));
    if (input.format === 'parquet') {
      const file = await this.queries.send(this.queries.named(ready, names), input, asking, 'Parquet');
      await storeAnswer();
      response.set('Content-Disposition', 'attachment; filename="query.parquet"').type(types.parquet).send(file);
      return;
    }
    const answer = await this.queries.send(ready, input, asking, 'JSONCompactEachRow');
    await storeAnswer();
    if (input.format === 'csv') return sendCsvBatches(response, 'query.csv', names, batchesOf(answer));
    response.status(200).type(types.ndjson).set('Content-Disposition', 'attachment; filename="query.ndjson"');
    await sendStream(
      response,
      ndjsonOf(answer, names, (rows) => countRows(response, rows)),
    );
  }
}
