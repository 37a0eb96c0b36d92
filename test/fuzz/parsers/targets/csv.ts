import { csvCandidates } from '../../../../src/cohorts/static/sources.js';
import { acceptedLater, demand, assertEqual, type ParserTarget } from '../target.js';

const pieces = async function* (input: Buffer, bytes: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < input.length; from += bytes) {
    yield input.subarray(from, from + bytes);
    await Promise.resolve();
  }
};

const read = (input: Buffer, bytes: number) =>
  acceptedLater(async () => {
    const candidates: unknown[] = [];
    for await (const candidate of csvCandidates(pieces(input, bytes))) {
      demand(!candidate.value.includes('\0'), 'a candidate can be stored');
      candidates.push(candidate);
    }
    return candidates;
  });

/** A file of a cohort is refused, or names persons, the same ones in whatever pieces it arrives. */
const target: ParserTarget = {
  maxBytes: 1024,
  words: [
    ...[
      'person_id',
      'distinct_id',
      'email',
      'uuid',
      'id,uuid,distinct_ids',
      '"',
      '""',
      ',',
      ';',
      '\t',
      '\r\n',
      '\r',
      '\n',
    ],
    ...['\xff\xfe', '\xfe\xff', '\xef\xbb\xbf', 'PK\x03\x04', '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11', '|', '\x00'],
  ],
  run: async (input) => {
    const whole = await read(input, 1024);
    assertEqual(await read(input, 1 + (input.length % 7)), whole, 'pieces change nothing');
  },
};

export default target;
