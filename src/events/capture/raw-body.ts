import { type IncomingMessage } from 'node:http';
import { invalidInput, tooLarge } from '../../common/errors/problem.js';

/** The bytes as they came: capture decodes by looking at them, whatever the headers say. */
export const readRawBody = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const refuse = () => tooLarge(`The body must not exceed ${maxBytes / 1024 / 1024} MB`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refuse();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw invalidInput('The body ended before it was whole');
  }
  if (size > maxBytes) throw refuse();
  return Buffer.concat(chunks, size);
};
