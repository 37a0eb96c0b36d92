import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The text of a body as the client reads it; one that is not what Content-Encoding names stays as it is. */
export const unpackedText = (body: Buffer, encoding: string | undefined): string => {
  try {
    if (encoding === 'gzip') return gunzipSync(body).toString('utf8');
    if (encoding === 'br') return brotliDecompressSync(body).toString('utf8');
  } catch {
    // The judge then says that the body is not what the document describes.
  }
  return body.toString('utf8');
};
