import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { countRows } from '../../platform/http/compression.js';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type QuestionRequest } from '../../filters/asking/questions.js';
import { sendCsvBatches } from '../../platform/csv/csv.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { storeAnswer } from '../../kernel/idempotency/keyed-answers.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { type QueryInput, readQueryInput } from './query-input.js';
import { type Asking, QueryService } from './query.service.js';

const newline = 0x0a;
const rowsPerBatch = 200;
const charactersPerChunk = 64 * 1024;

/** Yields the rows of an answer, one for each of its lines, in batches; other requests are served between two batches. */
async function* batchesOf(answer: Buffer): AsyncGenerator<readonly (readonly unknown[])[]> {
  let batch: (readonly unknown[])[] = [];
  for (let from = 0; from < answer.length;) {
    const end = answer.indexOf(newline, from);
    const to = end < 0 ? answer.length : end;
    if (to > from) batch.push(JSON.parse(answer.toString('utf8', from, to)) as readonly unknown[]);
    from = to + 1;
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
    await yieldToEventLoop();
  }
  if (batch.length > 0) yield batch;
}

/** Yields the rows as NDJSON: one JSON object per line. */
async function* ndjsonOf(
  answer: Buffer,
  columns: readonly string[],
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  const names = columns.map((name) => JSON.stringify(name));
  let chunk = '';
  for await (const batch of batchesOf(answer)) {
    for (const row of batch) chunk += `{${names.map((name, at) => `${name}:${JSON.stringify(row[at])}`).join(',')}}\n`;
    onRows(batch.length);
    if (chunk.length < charactersPerChunk) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Gives each column of a file a name of its own: a name that is taken gets a number. */
const uniqueNames = (names: readonly string[]): readonly string[] => {
  const used = new Set<string>();
  return names.map((name) => {
    const plain = name === '' ? 'column' : name;
    let unique = plain;
    for (let number = 2; used.has(unique); number += 1) unique = `${plain}_${number}`;
    used.add(unique);
    return unique;
  });
};

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
