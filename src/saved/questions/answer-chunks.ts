import { type QuestionAnswer } from './question-answers.js';

const bytesPerChunk = 256 * 1024;

/** Yields the fields of an answer as JSON in chunks; the caller writes the braces around them. */
export function* answerChunks({ asOf, isCached, json }: QuestionAnswer): Generator<string | Buffer> {
  yield `"as_of":${JSON.stringify(asOf.toISOString())},"is_cached":${isCached},"answer":`;
  for (let from = 0; from < json.length; from += bytesPerChunk) yield json.subarray(from, from + bytesPerChunk);
}
