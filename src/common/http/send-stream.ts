import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compressionStages } from './compression.js';
import { demandStillAdmitted, watchAdmission } from './watch-admission.js';

/** The limit for a client that does not read. */
export const patienceMs = 30_000;

/**
 * Streams at the client's pace; the headers of the answer must be set. A client that disconnects, or reads nothing for too
 * long, ends the iteration, and with it the work behind the chunks. A caller whose key is revoked meanwhile loses the
 * connection, so that it cannot take the answer for complete.
 */
export const sendStream = async (
  response: Response,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  stallMs = patienceMs,
): Promise<void> => {
  await demandStillAdmitted(response.req);
  // A chunk is already large, so buffering several of them would only cost memory.
  const source = Readable.from(chunks, { highWaterMark: 1 });
  const stopWatching = endWhenStalled(response, stallMs);
  const stopLooking = watchAdmission(response.req, () => response.destroy());
  await pipeline([source, ...compressionStages(response), response])
    .catch((error: unknown) => {
      if (!isDroppedClient(error)) throw error;
    })
    .finally(() => {
      stopWatching();
      stopLooking();
    });
};

/** The value of `Content-Disposition` for a file of this name. */
export const asFile = (filename: string): string =>
  `attachment; filename="${filename.replace(/[^A-Za-z0-9._-]/g, '_')}"`;

/** The socket's timer runs out only when no byte has moved, which can also mean that the service has nothing to send. */
export const endWhenStalled = (response: Response, stallMs: number): (() => void) => {
  const { socket } = response;
  const look = () => {
    if ((socket?.writableLength ?? 0) > 0) response.destroy();
  };
  response.setTimeout(stallMs, look);
  return () => {
    response.off('timeout', look);
    response.setTimeout(0);
  };
};

const isDroppedClient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
