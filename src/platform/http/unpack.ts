import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import { parseError, tooLarge, unsupportedMediaType } from '../errors/problem.js';
import { megabyte, sizeText } from './body-limit.js';

type Unpacking = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const unpackings = new Map<string, Unpacking>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** JSON seldom shrinks to less than a fiftieth; a body that shrinks further costs more to unpack than to send. */
const maxRatio = 100;
const freeOfRatio = megabyte;

/** Reverses `Content-Encoding` off the event loop, up to `maxBytes`. */
export const unpack = async (bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> => {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return bytes;
  const unpacking = unpackings.get(name);
  if (!unpacking) throw unsupportedMediaType('Content-Encoding must be gzip, deflate, br or identity');
  const byRatio = Math.max(freeOfRatio, maxRatio * bytes.length);
  try {
    return await unpacking(bytes, { maxOutputLength: Math.min(maxBytes, byRatio) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw parseError(`The body is not complete ${name} data`);
    if (byRatio < maxBytes)
      throw tooLarge(`The body unpacks to more than ${maxRatio} times its size: send it without Content-Encoding`);
    throw tooLarge(`The body must not unpack to more than ${sizeText(maxBytes)} on this route`);
  }
};
