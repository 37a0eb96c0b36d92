import { type IncomingMessage } from 'node:http';
import { invalidInput, tooLarge } from '../../common/errors/problem.js';

/** The bytes as they came: capture decodes by looking at them, whatever the headers say. */
export const readRawBody = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const refuse = () => tooLarge(`The body must not exceed ${maxBytes / 1024 / 1024} MB`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refuse();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bodyOf(request)) {
    size += chunk.length;
    if (size > maxBytes) throw refuse();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

/** Whoever stops reading early still wants to answer, so the connection stays and what is left of the body is let go. */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw invalidInput('The body ended before it was whole');
  } finally {
    request.resume();
  }
}
