import { encoded } from '../draft.js';
import { boundaryNumber, hostileText } from '../hostile.js';
import { type Random } from '../random.js';
import { type Scene } from '../scene.js';
import { type Fault } from './fault.js';

/** Header values may hold Latin 1 without control characters; the others go over raw sockets. */
const headerText = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

const foreignIds = (random: Random, { foreign }: Scene): string | number =>
  random.pick<string | number>([
    ...[random.pick(foreign.persons).id, random.pick(foreign.persons).uuid, random.pick(foreign.cohorts)],
    ...[random.pick(foreign.events), foreign.id, random.pick(foreign.distinctIds)],
  ]);

const replaceSegment = (path: string, random: Random, segment: string): string => {
  const segments = path.split('/');
  const ids = segments.flatMap((text, at) => (/^\d+$|^[0-9a-f-]{36}$/.test(text) ? [at] : []));
  const at = ids.length > 0 && random.chance(0.85) ? random.pick(ids) : random.integer(1, segments.length - 1);
  segments[at] = segment;
  return segments.join('/');
};

/** A key must not revoke itself; the requests after it need it. */
const isSafe = (method: string, path: string): boolean =>
  !(path.includes('personal_api_keys') && method !== 'GET' && decodedOr(path).includes('@current'));

const decodedOr = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const inPath =
  (segmentOf: (random: Random, scene: Scene) => string, mayAnswer: readonly number[] = []): Fault['apply'] =>
  (draft, random, scene) => {
    const path = replaceSegment(draft.path, random, segmentOf(random, scene));
    if (!isSafe(draft.method, path)) return false;
    draft.path = path;
    draft.anyRouteMayAnswer.push(...mayAnswer);
    return true;
  };

const brokenSegments = [
  '%zz',
  '%',
  '%E0%A4%A',
  '%ff',
  '%c3%28',
  '%00',
  'a%00b',
  '%2e%2e',
  '..',
  '.',
  '%2f',
  '..%2f..',
  '',
];
const otherMethods = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'GET', 'POST'];

const keyFault: Fault['apply'] = (draft, random, { keys }) => {
  const garbage = ['', 'Bearer', 'Bearer ', 'Basic YTpi', `Bearer phx_${'x'.repeat(48)}`, `Bearer ${keys.full}x`];
  const value = random.pick([
    ...[null, `Bearer ${keys.revoked}`, `Bearer ${keys.expired}`, `Bearer ${keys.foreign}`],
    ...[`Bearer ${random.pick(keys.underprivileged)}`, `Bearer ${random.pick(keys.underprivileged)}`],
    ...[random.pick(garbage), headerText(`Bearer ${hostileText(random).slice(0, 3000)}`)],
  ]);
  if (value === null) delete draft.headers.authorization;
  else draft.headers.authorization = value;
  return true;
};

const oddHeaders: readonly ((random: Random) => readonly [string, string])[] = [
  (random) => ['if-none-match', random.pick(['*', '"x"', 'W/"1"', ''])],
  (random) => ['range', random.pick(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'x'])],
  (random) => ['if-modified-since', random.pick(['x', 'Sat, 01 Jan 2050 00:00:00 GMT'])],
  (random) => ['expect', random.pick(['100-continue', 'x', '200-ok'])],
  (random) => ['x-http-method-override', random.pick(['DELETE', 'PATCH', 'x'])],
  (random) => ['x-request-id', headerText(hostileText(random).slice(0, 2000))],
  (random) => [
    'idempotency-key',
    headerText(random.pick(['', ' ', 'same', 'same', 'x'.repeat(255), 'x'.repeat(256), hostileText(random)])),
  ],
  (random) => ['accept', random.pick(['text/csv', 'application/xml', '*/*;q=0', 'x', ''])],
  (random) => ['accept-encoding', random.pick(['gzip', 'br', 'identity;q=0', '*;q=0'])],
  (random) => ['host', random.pick(['example.test', 'a b', '', '[::1', 'x'.repeat(300), '<script>'])],
  (random) => ['x-forwarded-for', random.pick(['1.2.3.4', 'x', '::1, 1.1.1.1'])],
  (random) => ['x-forwarded-proto', random.pick(['javascript', 'https,http'])],
  (random) => ['origin', random.pick(['null', 'https://evil.test', 'x\ty'])],
  (random) => ['x-test-now', random.pick(['2020-01-01T00:00:00Z', 'x'])],
  () => ['upgrade', 'h2c'],
  (random) => ['x-long', 'x'.repeat(random.pick([2000, 9000]))],
];

export const requestFaults: readonly (readonly [weight: number, Fault])[] = [
  [6, { name: 'foreign id in the path', apply: inPath((random, scene) => String(foreignIds(random, scene))) }],
  [
    6,
    {
      name: 'hostile text in the path',
      apply: inPath((random) => encoded(hostileText(random).slice(0, 500)), [400, 404]),
    },
  ],
  [4, { name: 'boundary number in the path', apply: inPath((random) => String(boundaryNumber(random, {}))) }],
  [2, { name: 'broken encoding in the path', apply: inPath((random) => random.pick(brokenSegments), [400, 404]) }],
  [9, { name: 'key', apply: keyFault }],
  [
    4,
    {
      name: 'other method',
      apply: (draft, random) => {
        const method = random.pick(otherMethods);
        if (!isSafe(method, draft.path) || destroysScene(method, draft.path)) return false;
        draft.method = method;
        return true;
      },
    },
  ],
  [
    8,
    {
      name: 'odd header',
      apply: (draft, random) => {
        const [name, value] = random.pick(oddHeaders)(random);
        if (value.includes('\t') && name === 'host') return false;
        draft.headers[name] = value;
        draft.faults.push(name);
        if (name === 'expect') draft.anyRouteMayAnswer.push(417);
        if (name === 'x-long') draft.anyRouteMayAnswer.push(431);
        if (name === 'host') draft.anyRouteMayAnswer.push(400);
        return true;
      },
    },
  ],
  [
    0.5,
    {
      name: 'client leaves',
      apply: (draft) => {
        draft.abandoned = true;
        return true;
      },
    },
  ],
];

/** Persons of the scene are not deleted, its cohorts and spare project not changed, by a method chosen at random. */
const destroysScene = (method: string, path: string): boolean =>
  (method === 'DELETE' && /\/(persons|actions|insights|dashboards|personal_api_keys)\//.test(path)) ||
  (method === 'PATCH' &&
    /\/(projects\/\d+$|cohorts\/|actions\/|insights\/|dashboards\/|personal_api_keys\/)/.test(path));
