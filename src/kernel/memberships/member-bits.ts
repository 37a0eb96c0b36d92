/** The persons of one chunk: those whose ids have the same quotient by this number. */
export const chunkSize = 1024;
const chunkBytes = chunkSize / 8;

export const chunkOf = (personId: number): number => Math.floor(personId / chunkSize);

/** A set of persons, as one bit for each id of a chunk. The lowest bit of the first byte is the first id. */
export type Bits = Uint8Array;

/** Sets of persons by chunk. */
export type Chunks = Map<number, Bits>;

export const emptyBits = (): Bits => new Uint8Array(chunkBytes);

const bitOf = (personId: number) => {
  const at = personId % chunkSize;
  return { byte: at >> 3, mask: 1 << (at & 7) };
};

export const has = (chunks: ReadonlyMap<number, Bits>, personId: number): boolean => {
  const { byte, mask } = bitOf(personId);
  return ((chunks.get(chunkOf(personId))?.[byte] ?? 0) & mask) !== 0;
};

/** Returns whether the person was not in the set. */
export const include = (chunks: Chunks, personId: number): boolean => {
  if (has(chunks, personId)) return false;
  const bits = chunks.get(chunkOf(personId)) ?? emptyBits();
  const { byte, mask } = bitOf(personId);
  bits[byte] = (bits[byte] ?? 0) | mask;
  chunks.set(chunkOf(personId), bits);
  return true;
};

/** Returns whether the person was in the set. */
export const exclude = (chunks: Chunks, personId: number): boolean => {
  if (!has(chunks, personId)) return false;
  const bits = chunks.get(chunkOf(personId)) ?? emptyBits();
  const { byte, mask } = bitOf(personId);
  bits[byte] = (bits[byte] ?? 0) & ~mask;
  return true;
};

/** The ids that are in `bits` and not in `other`, ascending. */
export const idsIn = (chunk: number, bits: Bits, other?: Bits): number[] => {
  const ids: number[] = [];
  for (let byte = 0; byte < chunkBytes; byte += 1) {
    const value = (bits[byte] ?? 0) & ~(other?.[byte] ?? 0);
    for (let bit = 0; value >> bit !== 0; bit += 1)
      if ((value >> bit) & 1) ids.push(chunk * chunkSize + byte * 8 + bit);
  }
  return ids;
};
