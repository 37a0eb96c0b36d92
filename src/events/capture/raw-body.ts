import { type IncomingMessage } from 'node:http';
import { invalidInput, tooLarge } from '../../common/errors/problem.js';

/** The bytes as they came: capture decodes by looking at them, whatever the headers say. */
export const readRawBody = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const refuse = () => tooLarge(`The body must not exceed ${maxBytes / 1024 / 1024} MB`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refuse();
  const broken = () => invalidInput('The body ended before it was whole');
  if (request.destroyed) throw broken();
  // By its events: for a small body that takes a fraction of what an iterator does.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(refuse());
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(broken()));
    request.on('close', () => {
      if (!request.readableEnded) reject(broken());
    });
  });
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
