import { throttled, unavailable, type Problem } from '../errors/problem.js';
import { megabyte, sizeText } from './body-limit.js';

export interface FlightLimits {
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
