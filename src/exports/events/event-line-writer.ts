import { type PlacedEvent } from '../../kernel/projection/blocks/block-properties.js';
import { fieldCountBytes } from '../../platform/postgres/copy-rows.js';

const bytesOf = (value: string): Buffer => Buffer.from(value, 'latin1');

const head = bytesOf('{"type":"event","uuid":"');
const event = bytesOf('","event":');
const distinctId = bytesOf(',"distinct_id":');
const timestamp = bytesOf(',"timestamp":"');
const properties = bytesOf('","changes_persons":false,"properties":');
const tail = bytesOf('}\n');

/** Times have milliseconds and four digits for the year. */
const timeBytes = '2026-01-02T10:00:00.000Z'.length;
const uuidBytes = 36;
/** The bytes in front of the properties, beside the event and its distinct id. */
const fixedBytes =
  head.length + uuidBytes + event.length + distinctId.length + timestamp.length + timeBytes + properties.length;

const lengthBytes = 4;
/** `jsonb` in binary form is text after the number of its version. */
const versionBytes = 1;
/** PostgreSQL counts microseconds from this moment. */
const epoch = Date.UTC(2000, 0, 1);
const dayMs = 86_400_000;

/**
 * Writes events as lines into one buffer. It holds the event loop for longer than anything else in an export, so values go from
 * PostgreSQL's bytes into the line without becoming strings or objects.
 */
export class EventLineWriter {
  records = 0;
  /** The index of the latest row in the window that was read. */
  index = 0;
  private latest: Buffer | null = null;
  private buffer: Buffer;
  private end = 0;
  private dayOfText = NaN;
  private dayText: Buffer = Buffer.alloc(0);

  constructor(
    expectedBytes: number,
    /** Properties from this size on are written more tightly than PostgreSQL does. */
    private readonly largeBytes: number,
  ) {
    this.buffer = Buffer.allocUnsafe(expectedBytes);
  }

  /** The lines so far. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.end);
  }

  /** The uuid of the latest row, also of one without a line. */
  get last(): string | null {
    if (!this.latest) return null;
    return uuidOf(this.latest, uuidAt);
  }

  /**
   * Takes `place, uuid, event, distinct_id, timestamp, block, properties`. A row without an event only tells how far the read got.
   * Properties that are in a block come beside the row.
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
    // Copies the whole row, so that no object is made of its end. The rest of the line, which is longer than the rest of the
    // row, is then written over its beginning.
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

  /** Events of one day often follow each other. */
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

/** Most values are short: a loop is faster than a call that leaves the engine. Returns the end. */
const write = (target: Buffer, at: number, source: Buffer, from: number, bytes: number): number => {
  for (let byte = 0; byte < bytes; byte += 1) target[at + byte] = source[from + byte] as number;
  return at + bytes;
};

const uuidOf = (source: Buffer, from: number): string => {
  const uuid = Buffer.alloc(uuidBytes);
  writeUuid(uuid, 0, source, from);
  return uuid.toString('latin1');
};

/** The event of a row whose properties are in a block; null for other rows. */
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

/** A number has multiples of a thousand microseconds exactly in all years that an event can have. */
const millisecondsOf = (row: Buffer, at: number): number =>
  epoch + Math.floor((row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4)) / 1000);

/** PostgreSQL writes spaces and whole numbers of three hundred digits, with which a large event can exceed a line. */
const tightened = (row: Buffer, from: number): Buffer =>
  Buffer.from(JSON.stringify(JSON.parse(row.toString('utf8', from))));
