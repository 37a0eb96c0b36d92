import { encoded, finished, type Draft, type FuzzRequest, type Piece } from './draft.js';
import { hostileText } from './hostile.js';
import { type Random } from './random.js';

interface Plan {
  readonly name: string;
  /** The client itself leaves before the end: no answer is an answer. */
  readonly cut?: boolean;
  /** What any route may answer, because the request is no valid HTTP. */
  readonly mayAnswer?: readonly number[];
  readonly pieces: (request: FuzzRequest, random: Random) => readonly (Piece | string)[];
}

const crlf = '\r\n';

const headOf = ({ method, path, headers }: FuzzRequest, more: string, version = 'HTTP/1.1'): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} ${version}`, 'host: 127.0.0.1', ...lines, ...(more ? [more] : []), '', ''].join(crlf);
};

const textOf = (request: FuzzRequest): string => request.body?.toString('latin1') ?? '{"a":1}';
const length = (request: FuzzRequest, more = 0): string => `content-length: ${textOf(request).length + more}`;
const whole = (request: FuzzRequest): string => headOf(request, length(request)) + textOf(request);
const waiting = (text: string, thenWaitMs: number): Piece => ({ bytes: Buffer.from(text, 'latin1'), thenWaitMs });
/** A chunk without content would be the last one. */
const chunk = (text: string): string => (text === '' ? '' : `${text.length.toString(16)}${crlf}${text}${crlf}`);
const lastChunk = `0${crlf}${crlf}`;
const broken = [400, 408, 413, 414, 417, 431, 501, 505];

const plans: readonly Plan[] = [
  {
    name: 'body cut',
    cut: true,
    pieces: (request, random) => [
      waiting(headOf(request, length(request, 100)) + textOf(request), random.integer(0, 300)),
    ],
  },
  {
    name: 'head cut',
    cut: true,
    pieces: (request, random) => {
      const text = whole(request);
      return [waiting(text.slice(0, random.integer(1, text.length - 1)), random.integer(0, 300))];
    },
  },
  {
    name: 'left after sending',
    cut: true,
    pieces: (request, random) => [waiting(whole(request), random.integer(0, 30))],
  },
  {
    name: 'slow',
    pieces: (request) => {
      const text = whole(request);
      const step = Math.ceil(text.length / 8);
      return Array.from({ length: 8 }, (_, n) => waiting(text.slice(n * step, (n + 1) * step), 60));
    },
  },
  {
    name: 'chunked',
    pieces: (request) => [headOf(request, 'transfer-encoding: chunked') + chunk(textOf(request)) + lastChunk],
  },
  {
    name: 'bad chunk',
    mayAnswer: broken,
    cut: true,
    pieces: (request, random) => {
      const size = random.pick(['zz', '-1', 'ffffffffffffffff', '5;x=\u0000', '0x5', '', ' 5']);
      return [waiting(`${headOf(request, 'transfer-encoding: chunked')}${size}${crlf}abcde${crlf}${lastChunk}`, 500)];
    },
  },
  {
    name: 'chunks cut',
    cut: true,
    mayAnswer: broken,
    pieces: (request) => [waiting(headOf(request, 'transfer-encoding: chunked') + chunk(textOf(request)), 200)],
  },
  {
    name: 'pipelined',
    pieces: (request) => [whole(request) + whole(request) + whole(request)],
  },
  {
    name: 'length and chunks',
    mayAnswer: broken,
    cut: true,
    pieces: (request) => [
      waiting(
        headOf(request, `${length(request)}${crlf}transfer-encoding: chunked`) + chunk(textOf(request)) + lastChunk,
        500,
      ),
    ],
  },
  {
    name: 'two lengths',
    mayAnswer: broken,
    pieces: (request) => [headOf(request, `${length(request)}${crlf}${length(request, 1)}`) + textOf(request)],
  },
  {
    name: 'bad length',
    mayAnswer: broken,
    pieces: (request, random) => [
      headOf(request, `content-length: ${random.pick(['-1', 'x', '1e3', '99999999999999999999', '+5', '0x10'])}`) +
        textOf(request),
    ],
  },
  {
    name: 'bad header',
    mayAnswer: broken,
    pieces: (request, random) => {
      const line = random.pick([
        'x',
        ': x',
        'a b: c',
        'x: \u0000',
        'x: a\u0001b',
        ' folded',
        `x: ${hostileText(random)}`,
        'é: 1',
      ]);
      return [headOf(request, `${length(request)}${crlf}${line}`) + textOf(request)];
    },
  },
  {
    name: 'many headers',
    mayAnswer: broken,
    pieces: (request, random) => {
      const count = random.pick([100, 1000, 3000]);
      const more = Array.from({ length: count }, (_, n) => `x-${n}: ${n}`).join(crlf);
      return [headOf(request, `${length(request)}${crlf}${more}`) + textOf(request)];
    },
  },
  {
    name: 'bad request line',
    mayAnswer: broken,
    pieces: (_, random) => [
      random.pick([
        'GET',
        'GET  /_livez HTTP/1.1',
        'GET /_livez',
        'get /_livez HTTP/1.1',
        'GET /_livez HTTP/9.9',
        '\u0000\u0001',
        'GET /\u0000 HTTP/1.1',
        'GET /é HTTP/1.1',
        'CONNECT a:1 HTTP/1.1',
        `GET /${'a'.repeat(20_000)} HTTP/1.1`,
        'PRI * HTTP/2.0',
        'OPTIONS * HTTP/1.1',
        `GET http://evil.test/ HTTP/1.1`,
      ]) + `${crlf}host: x${crlf}connection: close${crlf}${crlf}`,
    ],
  },
  {
    name: 'raw bytes in the query',
    mayAnswer: broken,
    pieces: (request, random) => [
      headOf(
        {
          ...request,
          path: `${request.path.split('?')[0]}?search=${random.pick(['é', '\u00ff\u00fe', '"<>`{}|\\^', '#x', '\u0080'])}`,
        },
        length(request),
      ) + textOf(request),
    ],
  },
  { name: 'HTTP/1.0', pieces: (request) => [headOf(request, length(request), 'HTTP/1.0') + textOf(request)] },
  {
    name: 'no host',
    mayAnswer: broken,
    pieces: (request) => [whole(request).replace(`host: 127.0.0.1${crlf}`, '')],
  },
  {
    name: 'expects 100',
    pieces: (request) => [
      waiting(headOf(request, `${length(request)}${crlf}expect: 100-continue`), 50),
      textOf(request),
    ],
  },
];

/** The same request written to a socket in a way that an ordinary client does not. */
export const rawRequest = (draft: Draft, index: number, random: Random): FuzzRequest => {
  const request = finished(draft, index);
  const plan = random.pick(plans);
  const pieces = plan.pieces(request, random);
  return {
    ...request,
    faults: [...request.faults, `raw: ${plan.name}`],
    anyRouteMayAnswer: [...request.anyRouteMayAnswer, ...(plan.mayAnswer ?? [])],
    abandoned: plan.cut ?? false,
    pieces: pieces.map((piece) => (typeof piece === 'string' ? waiting(piece, 0) : piece)),
  };
};

/** Paths beside the document: only the general rules hold for their answers. */
const besides = [
  '/flags',
  '/decide',
  '/array/x/config',
  '/array/x/config.js',
  '/static/array.js',
  '/api/surveys',
  '/docs',
  '/openapi.json',
  '/',
  '/api',
  '/s',
  '/favicon.ico',
];

export const undocumentedPath = (random: Random): string =>
  random.chance(0.6)
    ? random.pick(besides)
    : `${random.pick(['', '/array', '/static', '/api/projects'])}/${encoded(hostileText(random).slice(0, 300))}`;
