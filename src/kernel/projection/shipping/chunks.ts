export interface ShipmentLimits {
  readonly keys: number;
  readonly bytes: number;
}

/** Limits what is in memory at once, which is also the size of one insert. */
export const shipmentLimits: ShipmentLimits = { keys: 10_000, bytes: 8 * 1024 ** 2 };

/** Returns the number of keys of each chunk, in order, so that no chunk is larger than necessary. */
export const chunkLengths = (sizes: readonly number[], limits: ShipmentLimits = shipmentLimits): number[] => {
  const lengths: number[] = [];
  let keys = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (keys > 0 && (keys === limits.keys || bytes + size > limits.bytes)) {
      lengths.push(keys);
      keys = 0;
      bytes = 0;
    }
    keys += 1;
    bytes += size;
  }
  return keys > 0 ? [...lengths, keys] : lengths;
};

export const inChunks = <T>(items: readonly T[], lengths: readonly number[]): T[][] => {
  let from = 0;
  return lengths.map((length) => items.slice(from, (from += length)));
};
