import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compressionStages } from './compression.js';
import { assertStillAdmitted, watchAdmission } from './watch-admission.js';

/** The limit for a client that does not read. */
export const patienceMs = 30_000;

/**
 * Streams at the client's pace; the headers of the answer must be set. A client that disconnects, or reads nothing for too
 * long, ends the iteration, and with it the work that makes the chunks. A caller whose key is revoked meanwhile loses the
 * connection, so that it cannot take the answer for complete.
 */
export const sendStream = async (
  response: Response,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  stallMs = patienceMs,
): Promise<void> => {
  await assertStillAdmitted(response.req);
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

/** The number of ticks in the allowed time: one tick of the timer does not show when bytes moved last. */
const ticks = 6;

/**
 * Disconnects a client that has read nothing for this time while bytes wait for it. Uses the timer of the socket, because only
 * Node sees that a part of a large write has left: then it restarts the timer without a call.
 */
export const endWhenStalled = (response: Response, stallMs: number): (() => void) => {
  const { socket } = response;
  const tickMs = stallMs / ticks;
  let idleTicks = 0;
  let lookedAt = 0;
  const look = () => {
    const now = performance.now();
    const isNextTick = now - lookedAt < 1.5 * tickMs;
    lookedAt = now;
    idleTicks = isNextTick && (socket?.writableLength ?? 0) > 0 ? idleTicks + 1 : 1;
    if (idleTicks >= ticks && (socket?.writableLength ?? 0) > 0) response.destroy();
    else response.setTimeout(tickMs);
  };
  response.setTimeout(tickMs, look);
  return () => {
    response.off('timeout', look);
    response.setTimeout(0);
  };
};

const isDroppedClient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
