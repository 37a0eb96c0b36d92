import { type Problem, invalidInput, requestTimeout, throttled, tooLarge, unavailable } from '../errors/problem.js';
import { megabyte, sizeText } from './body-limit.js';
import { type Request } from 'express';
import { type IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.js';
import { RequestProperty } from './request-context.js';

interface FlightLimits {
  readonly total: number;
  readonly perAddress: number;
}

/** Bounds the memory that bodies take between their first byte and the answer to their request. */
export class BytesInFlight {
  private total = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(private limits: FlightLimits) {}

  /** Sets the limit from now on. One address may use at most half of it. */
  limitTo(total: number): void {
    this.limits = { total, perAddress: Math.min(this.limits.perAddress, total / 2) };
  }

  /** Counts bytes and returns null; or returns the problem because of which the bytes must be discarded. */
  take(address: string, bytes: number): Problem | null {
    const ofAddress = (this.byAddress.get(address) ?? 0) + bytes;
    if (this.total + bytes > this.limits.total)
      return unavailable(`Bodies of more than ${sizeText(this.limits.total)} are being processed: send it again later`);
    if (ofAddress > this.limits.perAddress) {
      const limit = sizeText(this.limits.perAddress);
      return throttled(1, `Bodies of more than ${limit} from this address are being processed: send fewer at a time`);
    }
    this.total += bytes;
    this.byAddress.set(address, ofAddress);
    return null;
  }

  giveBack(address: string, bytes: number): void {
    this.total -= bytes;
    const left = (this.byAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
  }

  get counted(): number {
    return this.total;
  }
}

/** One instance per process, because memory is shared by the process. */
export const bytesInFlight = new BytesInFlight({ total: 256 * megabyte, perAddress: 64 * megabyte });

const sweepMs = 1000;

/** A body that is being received. */
interface Arrival {
  /** Ends the body. */
  readonly fail: (problem: Problem) => void;
  /** The body fails after this many seconds without a byte. */
  readonly idleSeconds: number;
  /** The body fails after this many seconds in all, even if bytes still arrive. */
  readonly totalSeconds: number;
  readonly startedAt: number;
  progressAt: number;
}

/** The time in seconds. The sweep counts it while any body is watched, so that no chunk needs a call of the clock. */
let second = 0;
let sweep: NodeJS.Timeout | null = null;
const arrivals = new Set<Arrival>();

/** One timer watches all bodies, because a timer of its own would be a large part of the cost of a small body. */
const watchArrival = (arrival: Arrival): void => {
  arrivals.add(arrival);
  sweep ??= setInterval(endSlowOnes, sweepMs).unref();
};

const stopWatching = (arrival: Arrival): void => {
  arrivals.delete(arrival);
};

const endSlowOnes = (): void => {
  second += 1;
  for (const arrival of arrivals) {
    const { startedAt, progressAt, idleSeconds, totalSeconds } = arrival;
    const isIdle = second - progressAt > idleSeconds;
    if (!isIdle && second - startedAt <= totalSeconds) continue;
    arrivals.delete(arrival);
    arrival.fail(
      requestTimeout(
        isIdle
          ? `No byte of the body arrived for ${idleSeconds} s: send it without pauses`
          : `The body did not arrive within ${totalSeconds} s: send it faster, or less at a time`,
      ),
    );
  }
  if (arrivals.size > 0 || !sweep) return;
  clearInterval(sweep);
  sweep = null;
};

/** A body that is buffered in memory. */
const buffered = { idleSeconds: 10, totalSeconds: 30 };
/** A body of any size that is processed as it arrives. */
const streamed = { idleSeconds: 30, totalSeconds: Infinity };

/**
 * The memory that Node uses for each chunk in addition to its bytes: a body sent in chunks of one byte takes more than a
 * hundred times its size.
 */
const chunkOverhead = 256;

const broken = (): Problem => invalidInput('The body ended before it was complete');
const tooMany = (maxBytes: number): Problem => tooLarge(`The body must not exceed ${sizeText(maxBytes)} on this route`);

/** Returns the bytes as received. They count as bytes in flight until the request is over. */
export const readRawBody = async (request: Request, maxBytes: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooMany(maxBytes);
  if (request.destroyed) throw broken();
  return new Promise((resolve, reject) => new BodyReading(request, maxBytes, resolve, reject).start());
};

/** Reads one body by the events of the stream, which cost a fraction of an iterator if the body is small. */
class BodyReading implements Arrival {
  readonly idleSeconds = buffered.idleSeconds;
  readonly totalSeconds = buffered.totalSeconds;
  readonly startedAt = second;
  progressAt = second;
  private chunks: Buffer[] | null = [];
  private size = 0;
  private readonly count: (bytes: number) => Problem | null;

  constructor(
    private readonly request: Request,
    private readonly maxBytes: number,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (problem: Problem) => void,
  ) {
    this.count = counterOf(request);
    watchArrival(this);
  }

  start(): void {
    this.request.on('data', (chunk: Buffer) => this.add(chunk));
    this.request.on('end', () => this.finish());
    const end = (): void => {
      if (this.chunks) this.fail(broken());
    };
    this.request.on('error', end);
    this.request.on('close', end);
  }

  private add(chunk: Buffer): void {
    if (!this.chunks) return;
    this.size += chunk.length;
    this.progressAt = second;
    const refusal = this.size > this.maxBytes ? tooMany(this.maxBytes) : this.count(chunk.length + chunkOverhead);
    if (refusal) this.fail(refusal);
    else this.chunks.push(chunk);
  }

  private finish(): void {
    if (!this.chunks) return;
    const [first, ...others] = this.chunks;
    const body = first && others.length === 0 ? first : Buffer.concat(this.chunks, this.size);
    this.end();
    this.resolve(body);
  }

  /**
   * Ends the reading with a problem. The rest of the body is read and dropped, because the client reads no answer before it has
   * sent everything.
   */
  fail(problem: Problem): void {
    this.end();
    this.reject(problem);
  }

  private end(): void {
    this.chunks = null;
    stopWatching(this);
  }
}

const counters = new RequestProperty<(bytes: number) => Problem | null>('counter');

/** Counts the bytes that a request holds, until its answer is sent or its connection is closed. */
export const counterOf = (request: Request): ((bytes: number) => Problem | null) => {
  const known = counters.get(request);
  if (known) return known;
  const address = clientAddress(request);
  let counted = 0;
  let over = false;
  request.res?.once('close', () => {
    over = true;
    bytesInFlight.giveBack(address, counted);
  });
  const count = (bytes: number): Problem | null => {
    if (over) return broken();
    const refusal = bytesInFlight.take(address, bytes);
    if (!refusal) counted += bytes;
    return refusal;
  };
  counters.set(request, count);
  return count;
};

/**
 * The chunks of a body. If the caller stops reading early, the connection stays open for the answer, and the rest of the body is
 * dropped.
 */
export async function* bodyOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await nextInTime(chunks);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    request.resume();
  }
}

/** Measures only the wait for the client, not the time in which the reader processes a chunk. */
const nextInTime = (chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> =>
  new Promise((resolve, reject) => {
    const arrival = { ...streamed, startedAt: second, progressAt: second, fail: reject };
    watchArrival(arrival);
    chunks.next().then(
      (next) => {
        stopWatching(arrival);
        resolve(next);
      },
      () => {
        stopWatching(arrival);
        reject(broken());
      },
    );
  });
