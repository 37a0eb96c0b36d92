import { type OffHeapText } from '../values/off-heap-text.js';

/*
 * Lists as parameters in PostgreSQL's binary form, which contains each item as it is: the text form needs quotes and
 * escapes, which both sides would have to process.
 */
const headerBytes = 20;
const lengthBytes = 4;

/** The oids of PostgreSQL's types. */
const oid = { bytea: 17, int4: 23, text: 25, timestamptz: 1184 } as const;

export const itself = (text: string): string => text;

export const textArray = <T>(items: readonly T[], textOf: (item: T) => string): Buffer => {
  let most = headerBytes;
  // Reserves three bytes for every character; unused bytes are cut off.
  for (const item of items) most += lengthBytes + 3 * textOf(item).length;
  const array = started(oid.text, items.length, most);
  let at = headerBytes;
  for (const item of items) {
    const bytes = array.write(textOf(item), at + lengthBytes);
    array.writeInt32BE(bytes, at);
    at += lengthBytes + bytes;
  }
  return array.subarray(0, at);
};

export const offHeapTextArray = <T>(items: readonly T[], textOf: (item: T) => OffHeapText): Buffer => {
  let all = headerBytes;
  for (const item of items) all += lengthBytes + textOf(item).bytes;
  const array = started(oid.text, items.length, all);
  let at = headerBytes;
  for (const item of items) {
    const text = textOf(item);
    array.writeInt32BE(text.bytes, at);
    at += lengthBytes + text.copyTo(array, at + lengthBytes);
  }
  return array;
};

export const bytesArray = <T>(items: readonly T[], bytesOf: (item: T) => Buffer): Buffer => {
  let all = headerBytes;
  for (const item of items) all += lengthBytes + bytesOf(item).length;
  const array = started(oid.bytea, items.length, all);
  let at = headerBytes;
  for (const item of items) {
    const bytes = bytesOf(item);
    array.writeInt32BE(bytes.length, at);
    at += lengthBytes + bytes.copy(array, at + lengthBytes);
  }
  return array;
};

const integerBytes = 4;

export const integerArray = <T>(items: readonly T[], integerOf: (item: T) => number): Buffer => {
  const array = started(oid.int4, items.length, headerBytes + items.length * (lengthBytes + integerBytes));
  let at = headerBytes;
  for (const item of items) {
    array.writeInt32BE(integerBytes, at);
    array.writeInt32BE(integerOf(item), at + lengthBytes);
    at += lengthBytes + integerBytes;
  }
  return array;
};

const instantBytes = 8;
/** PostgreSQL counts microseconds from this moment. */
const epoch = Date.UTC(2000, 0, 1);

export const instantArray = <T>(items: readonly T[], instantOf: (item: T) => Date): Buffer => {
  const array = started(oid.timestamptz, items.length, headerBytes + items.length * (lengthBytes + instantBytes));
  let at = headerBytes;
  for (const item of items) {
    array.writeInt32BE(instantBytes, at);
    writeMicroseconds(array, instantOf(item).getTime() - epoch, at + lengthBytes);
    at += lengthBytes + instantBytes;
  }
  return array;
};

/** Writes milliseconds as microseconds in a 64-bit integer, which may exceed what a number represents exactly. */
const writeMicroseconds = (target: Buffer, milliseconds: number, at: number): void => {
  const high = Math.floor(milliseconds / 2 ** 32);
  const low = (milliseconds - high * 2 ** 32) * 1000;
  const carried = Math.floor(low / 2 ** 32);
  target.writeInt32BE(high * 1000 + carried, at);
  target.writeUInt32BE(low - carried * 2 ** 32, at + 4);
};

/** Describes one dimension that begins at one, without nulls. */
const started = (type: number, items: number, bytes: number): Buffer => {
  const array = Buffer.allocUnsafe(bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(type, 8);
  array.writeInt32BE(items, 12);
  array.writeInt32BE(1, 16);
  return array;
};
