import { type PlacedEvent } from '../../kernel/projection/blocks/block-properties.js';
import { fieldCountBytes } from '../../platform/postgres/copy-rows.js';

const bytesOf = (value: string): Buffer => Buffer.from(value, 'latin1');

const head = bytesOf('{"type":"event","uuid":"');
const event = bytesOf('","event":');
const distinctId = bytesOf(',"distinct_id":');
const timestamp = bytesOf(',"timestamp":"');
const properties = bytesOf('","changes_persons":false,"properties":');
const tail = bytesOf('}\n');

/** The length of a time in a line: with milliseconds, and four digits for the year. */
const timeBytes = '2026-01-02T10:00:00.000Z'.length;
const uuidBytes = 36;
/** The bytes of a line before the properties, without the event name and the distinct id. */
const fixedBytes =
  head.length + uuidBytes + event.length + distinctId.length + timestamp.length + timeBytes + properties.length;

const lengthBytes = 4;
/** The length of the version number that precedes the text of a `jsonb` value in binary form. */
const versionBytes = 1;
/** PostgreSQL counts microseconds from this moment. */
const epoch = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;

/**
 * Writes events as lines into one buffer. This takes more time on the event loop than anything else in an export, so values are
 * copied from PostgreSQL's bytes into the line without becoming strings or objects.
 */
export class EventLineWriter {
  records = 0;
  /** The position of the latest row in its window. */
  index = 0;
  private latest: Buffer | null = null;
  private buffer: Buffer;
  private end = 0;
  private dayOfText = NaN;
  private dayText: Buffer = Buffer.alloc(0);

  constructor(
    expectedBytes: number,
    /** Properties of at least this size are written again, without the spaces that PostgreSQL adds. */
    private readonly largeBytes: number,
  ) {
    this.buffer = Buffer.allocUnsafe(expectedBytes);
  }

  /** The lines written so far. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.end);
  }

  /** The uuid of the latest row, even if the row got no line. */
  get last(): string | null {
    if (!this.latest) return null;
    return uuidOf(this.latest, uuidAt);
  }

  /**
   * Writes the line of a row `place, uuid, event, distinct_id, timestamp, block, properties`. A row without an event gets no
   * line: it only tells how far the read got. Properties that are stored in a block are passed as `fromBlock`.
   */
  add(row: Buffer, fromBlock: Buffer | null = null): void {
    this.skip(row);
    const eventBytes = row.readInt32BE(eventAt - lengthBytes);
    if (eventBytes < 0) return;
    const idAt = eventAt + eventBytes + lengthBytes;
    const idBytes = row.readInt32BE(idAt - lengthBytes);
    const timeAt = idAt + idBytes + lengthBytes;
    const propertiesAt = timeAt + timestampBytes + lengthBytes + lengthBytes + versionBytes;
    const isLarge = fromBlock === null && row.length - propertiesAt >= this.largeBytes;
    const source = fromBlock ?? (isLarge ? tightened(row, propertiesAt) : row);
    const from = source === row ? propertiesAt : 0;
    const start = this.end;
    const before = fixedBytes + eventBytes + idBytes;
    this.end += before + source.length - from + tail.length;
    if (this.end > this.buffer.length) this.grow(start);
    const { buffer } = this;
    // The whole row is copied first, so that no object is made for its last part. The start of the line, which is longer than
    // that of the row, is then written over it.
    buffer.set(source, start + before - from);
    let at = write(buffer, start, head, 0, head.length);
    at = writeUuid(buffer, at, row, uuidAt);
    at = write(buffer, at, event, 0, event.length);
    at = write(buffer, at, row, eventAt, eventBytes);
    at = write(buffer, at, distinctId, 0, distinctId.length);
    at = write(buffer, at, row, idAt, idBytes);
    at = write(buffer, at, timestamp, 0, timestamp.length);
    at = this.writeTime(at, millisecondsOf(row, timeAt));
    write(buffer, at, properties, 0, properties.length);
    write(buffer, this.end - tail.length, tail, 0, tail.length);
    this.records += 1;
  }

  /** Takes a row that gets no line. */
  skip(row: Buffer): void {
    this.latest = row;
    this.index = row.readInt32BE(indexAt);
  }

  /** Writes a time. The text of the day is kept, because consecutive events often have the same day. */
  private writeTime(at: number, ms: number): number {
    const { buffer } = this;
    const day = Math.floor(ms / dayMs);
    if (day !== this.dayOfText) {
      this.dayOfText = day;
      this.dayText = bytesOf(new Date(day * dayMs).toISOString().slice(0, dateBytes));
    }
    write(buffer, at, this.dayText, 0, dateBytes);
    const ofDay = ms - day * dayMs;
    const seconds = Math.floor(ofDay / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    writeDigits(buffer, at + dateBytes, hours);
    buffer[at + 13] = colon;
    writeDigits(buffer, at + 14, minutes - hours * 60);
    buffer[at + 16] = colon;
    writeDigits(buffer, at + 17, seconds - minutes * 60);
    buffer[at + 19] = dot;
    const thousandths = ofDay - seconds * 1000;
    const hundredths = Math.floor(thousandths / 10);
    writeDigits(buffer, at + 20, hundredths);
    buffer[at + 22] = zero + thousandths - hundredths * 10;
    buffer[at + 23] = utc;
    return at + timeBytes;
  }

  private grow(written: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.end, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, written);
    this.buffer = larger;
  }
}

const indexAt = fieldCountBytes + lengthBytes;
const uuidAt = indexAt + 4 + lengthBytes;
const eventAt = uuidAt + 16 + lengthBytes;
const timestampBytes = 8;
const dateBytes = '2026-01-02T'.length;
const [zero, colon, dot, utc] = [...'0:.Z'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];
const hexDigits = bytesOf('0123456789abcdef');
const hyphen = '-'.charCodeAt(0);

/** Copies bytes and returns the end. A loop is faster here than a call that leaves the engine, because most values are short. */
const write = (target: Buffer, at: number, source: Buffer, from: number, bytes: number): number => {
  for (let byte = 0; byte < bytes; byte += 1) target[at + byte] = source[from + byte] as number;
  return at + bytes;
};

const uuidOf = (source: Buffer, from: number): string => {
  const uuid = Buffer.alloc(uuidBytes);
  writeUuid(uuid, 0, source, from);
  return uuid.toString('latin1');
};

/** Returns the uuid and the block of an event whose properties are in a block; null for other rows. */
export const blockOf = (row: Buffer): PlacedEvent | null => {
  const eventBytes = row.readInt32BE(eventAt - lengthBytes);
  if (eventBytes < 0) return null;
  const idAt = eventAt + eventBytes + lengthBytes;
  const blockAt = idAt + row.readInt32BE(idAt - lengthBytes) + lengthBytes + timestampBytes + lengthBytes;
  return row.readInt32BE(blockAt - lengthBytes) < 0 ? null : { uuid: uuidOf(row, uuidAt), block: uuidOf(row, blockAt) };
};

const writeUuid = (target: Buffer, at: number, source: Buffer, from: number): number => {
  let end = at;
  for (let byte = 0; byte < 16; byte += 1) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) target[end++] = hyphen;
    const value = source[from + byte] as number;
    target[end++] = hexDigits[value >> 4] as number;
    target[end++] = hexDigits[value & 15] as number;
  }
  return end;
};

const writeDigits = (target: Buffer, at: number, number: number): void => {
  const tens = Math.floor(number / 10);
  target[at] = zero + tens;
  target[at + 1] = zero + number - tens * 10;
};

/**
 * Reads a time as milliseconds. Nothing is lost: a number is exact for multiples of a thousand microseconds in all years that an
 * event can have.
 */
const millisecondsOf = (row: Buffer, at: number): number =>
  epoch + Math.floor((row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4)) / 1000);

/**
 * Writes properties again as short JSON. PostgreSQL's text has spaces and whole numbers of three hundred digits, with which a
 * large event could exceed the limit of a line.
 */
const tightened = (row: Buffer, from: number): Buffer =>
  Buffer.from(JSON.stringify(JSON.parse(row.toString('utf8', from))));
