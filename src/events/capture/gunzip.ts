import { promisify } from 'node:util';
import { gunzip as gunzipCallback } from 'node:zlib';
import { type CaptureFailure, tooLargeCapture, unparsable } from './failure.js';

const inflate = promisify(gunzipCallback);

export const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Unpacks gzip outside of the event loop, and stops when the output exceeds `maxBytes`, so that a decompression bomb costs no
 * more than an honest batch.
 */
export const gunzip = async (
  bytes: Buffer,
  maxBytes: number,
): Promise<{ ok: true; bytes: Buffer } | CaptureFailure> => {
  try {
    return { ok: true, bytes: await inflate(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      return tooLargeCapture(`the batch unpacks to more than ${maxBytes} bytes, send it in smaller batches`);
    }
    return unparsable('the gzip data is damaged or cut short');
  }
};
