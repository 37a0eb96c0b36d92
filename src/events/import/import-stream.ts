import { type Response } from 'express';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { invalidInput, Problem, tooLarge } from '../../platform/errors/problem.js';
import { maxUnpackedRatio } from '../../kernel/event-log/normalise/limits.js';

const patienceMs = 30_000;

/**
 * Resolves when the client has read the written data or has disconnected. A client that reads nothing for `waitMs` is
 * disconnected.
 */
export const drained = async (response: Response, waitMs = patienceMs): Promise<void> => {
  const waiting = new AbortController();
  const { signal } = waiting;
  const late = sleep(waitMs, undefined, { signal }).then(() => response.destroy());
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal }), late]);
  waiting.abort();
};

/**
 * The ratio of unpacked to packed bytes is first checked after this many unpacked bytes, and then over stretches of this length.
 */
const stretchBytes = 16 * 1024 * 1024;

export async function* unpacked(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ratio = new UnpackedRatio();
  const packed = Readable.from(ratio.sent(body), { objectMode: false });
  const gunzip = createGunzip();
  packed.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const bytes of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
      ratio.unpack(bytes.length);
      yield bytes;
    }
  } catch (error) {
    throw error instanceof Problem ? error : invalidInput('The body is not complete gzip data');
  } finally {
    packed.destroy();
  }
}

/** Limits the ratio, because two megabytes of gzip can contain two gigabytes of empty lines. */
class UnpackedRatio {
  private packedBytes = 0;
  private unpackedBytes = 0;

  async *sent(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of body) {
      this.packedBytes += bytes.length;
      yield bytes;
    }
  }

  unpack(bytes: number): void {
    this.unpackedBytes += bytes;
    if (this.unpackedBytes < stretchBytes) return;
    if (this.unpackedBytes > maxUnpackedRatio * this.packedBytes) {
      throw tooLarge(`The body unpacks to more than ${maxUnpackedRatio} times its size`);
    }
    this.unpackedBytes = 0;
    this.packedBytes = 0;
  }
}
