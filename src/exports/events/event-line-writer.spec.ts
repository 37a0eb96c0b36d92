import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventLineWriter, blockOf } from './event-line-writer.js';

interface Row {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  readonly properties: object;
  /** The block that has the properties. */
  readonly block: string | null;
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const time = (moment: Date): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(moment.getTime() - Date.UTC(2000, 0, 1)) * 1000n);
  return bytes;
};

const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** As COPY writes it: the number of fields, then each with its length. */
const binary = (index: number, row: Row | { readonly uuid: string }): Buffer => {
  const uuid = uuidBytes(row.uuid);
  const fields =
    'event' in row
      ? [
          ...[number(index), uuid, Buffer.from(JSON.stringify(row.event)), Buffer.from(JSON.stringify(row.distinctId))],
          ...[time(row.timestamp), row.block === null ? null : uuidBytes(row.block)],
          row.block === null ? Buffer.from(`\u0001 ${JSON.stringify(row.properties)}`) : null,
        ]
      : [number(index), uuid, null, Buffer.from('"ada"'), time(new Date(0)), null, Buffer.from('\u0001{}')];
  const parts = fields.map((field) => (field ? Buffer.concat([number(field.length), field]) : number(-1)));
  return Buffer.concat([Buffer.from([0, fields.length]), ...parts]);
};

const rows = fc.array(
  fc.record<Row>({
    uuid: fc.uuid(),
    event: fc.string({ unit: 'grapheme', maxLength: 200 }),
    distinctId: fc.string({ unit: 'grapheme', maxLength: 200 }),
    timestamp: fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31T23:59:59.999Z'), noInvalidDate: true }),
    properties: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
    block: fc.option(fc.uuid()),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('a writer of events', () => {
  it('writes each as a line with its values, into a buffer that grows', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 500, 100_000), fc.constantFrom(2, 300, 1_000_000), (given, size, large) => {
        const writer = new EventLineWriter(size, large);
        for (const [at, row] of given.entries()) {
          const bytes = binary(at + 1, row);
          const { uuid, block, properties } = row;
          expect(blockOf(bytes)).toEqual(block === null ? null : { uuid, block });
          writer.add(bytes, block === null ? null : Buffer.from(JSON.stringify(properties)));
        }
        const read = writer.bytes.toString('utf8').split('\n');
        expect(read.pop()).toBe('');
        const expected = given.map(({ uuid, event, distinctId, timestamp, properties }) => ({
          type: 'event',
          uuid,
          event,
          distinct_id: distinctId,
          timestamp: timestamp.toISOString(),
          changes_persons: false,
          properties,
        }));
        expect(read.map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(JSON.stringify(expected)));
        expect([writer.records, writer.index, writer.last]).toEqual([given.length, given.length, given.at(-1)?.uuid]);
      }),
      { numRuns: 300 },
    );
  });

  it('writes no line for a row without an event, which tells how far the read got', () => {
    const writer = new EventLineWriter(100, 100);
    expect([writer.last, writer.bytes.length]).toEqual([null, 0]);
    const uuid = '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e';
    writer.add(binary(500, { uuid }));
    expect([writer.records, writer.index, writer.last, writer.bytes.length]).toEqual([0, 500, uuid, 0]);
  });
});
