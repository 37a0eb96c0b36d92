import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { type ReadableStream } from 'node:stream/web';
import { hostOf } from './addresses.js';
import { type AddressRules, addressOf } from './resolve.js';

/** These answers must not have a body. */
const withoutBody = [204, 304];

/** Sends a request to the one address that the rules allow, while the check of the certificate uses the name in the URL. */
export const guardedFetch =
  (rules: AddressRules) =>
  async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const [host, body] = [hostOf(url), Buffer.from(await request.arrayBuffer())];
    const address = await addressOf(host, rules);
    const isTls = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const outgoing = (isTls ? https : http).request({
        host: address,
        port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: url.host, 'content-length': body.length },
        agent: false,
        signal: request.signal,
        rejectUnauthorized: true,
        servername: address === host ? '' : host,
      });
      outgoing.on('error', reject);
      outgoing.on('upgrade', (_, socket) => socket.destroy());
      outgoing.on('response', (answer) => {
        const status = answer.statusCode ?? 500;
        const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const stream = withoutBody.includes(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
        resolve(new Response(stream as ConstructorParameters<typeof Response>[0], { status, headers }));
      });
      outgoing.end(body);
    });
  };
