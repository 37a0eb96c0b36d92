/**
 * Packs ascending ids of persons: each as its distance from the one before, seven bits a byte. Most ids of a change need one or
 * two bytes, where PostgreSQL's own array needs eight.
 */
export const packIds = (ids: readonly number[]): Buffer => {
  const bytes: number[] = [];
  let before = 0;
  for (const id of ids) {
    let distance = id - before;
    before = id;
    for (; distance > 127; distance = Math.floor(distance / 128)) bytes.push((distance % 128) + 128);
    bytes.push(distance);
  }
  return Buffer.from(bytes);
};

export const unpackIds = (packed: Uint8Array): number[] => {
  const ids: number[] = [];
  let before = 0;
  let distance = 0;
  let factor = 1;
  for (const byte of packed) {
    distance += (byte % 128) * factor;
    factor *= 128;
    if (byte > 127) continue;
    before += distance;
    ids.push(before);
    distance = 0;
    factor = 1;
  }
  return ids;
};
