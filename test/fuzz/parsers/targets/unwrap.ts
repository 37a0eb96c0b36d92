import { gzipSync } from 'node:zlib';
import { maxTextPackedBytes } from '../../../../src/kernel/event-log/normalise/limits.js';
import { unwrap } from '../../../../src/events/capture/decode.js';
import { demand, assertEqual, type ParserTarget } from '../target.js';

const unescaped = (json: Buffer): Buffer => Buffer.from(`data=${json.toString('base64')}`);

const packings: readonly ((json: Buffer) => Buffer)[] = [
  (json) => gzipSync(json, { level: 1 }),
  (json) => Buffer.from(json.toString('base64')),
  (json) => Buffer.from(`ver=1&data=${encodeURIComponent(json.toString('base64'))}&_=1`),
  unescaped,
];

const unpacked = (bytes: Buffer) => unwrap(bytes, () => Promise.resolve());

/** The layers around a body come off, or the body is refused; what comes out packed again comes out again. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    'data=',
    '&data=',
    '%7B',
    '%22',
    '\x1f\x8b\x08\x00',
    'eyJ',
    'W3s',
    '==',
    '\xef\xbb\xbf',
    '+',
    '_',
    '-',
    '\r\n',
  ],
  run: async (input) => {
    const found = await unpacked(input);
    if (!found.ok) {
      demand([400, 413].includes(found.status) && found.detail !== '', 'a refusal has a status and a reason');
      return;
    }
    const { json } = found;
    demand(json[0] === 0x7b || json[0] === 0x5b, 'what comes out begins like JSON');
    const pack = packings[input.length % packings.length];
    if (!pack || json.length > maxTextPackedBytes / 2) return;
    // JSON ends with a bracket; what ends with another byte can be base64 that ends with a +, which a form turns into space.
    const isEnded = json.at(-1) === 0x7d || json.at(-1) === 0x5d;
    if (pack === unescaped && !isEnded) return;
    const again = await unpacked(pack(json));
    assertEqual(again.ok && again.json.toString('latin1'), json.toString('latin1'), 'packing changes nothing');
  },
};

export default target;
