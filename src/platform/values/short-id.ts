const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const characters = `${letters}0123456789`;
const length = 8;

/** The number of short ids: a letter, which no id of digits begins with, and seven letters or digits. */
const count = BigInt(letters.length) * BigInt(characters.length) ** BigInt(length - 1);
/** Has no divisor in common with `count`, so that different ids have different short ids. */
const factor = 98_765_432_123_457n;

/** The number that undoes the factor: their product leaves 1 when it is divided by `count`. */
const inverse = ((): bigint => {
  let [rest, next, at, nextAt] = [count, factor, 0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [at, nextAt] = [nextAt, at - quotient * nextAt];
  }
  return ((at % count) + count) % count;
})();

const shape = new RegExp(`^[a-zA-Z][a-zA-Z0-9]{${length - 1}}$`);
const base = BigInt(characters.length);

/** The short id of a record, under which clients of the reference product know it. It follows from the id. */
export const shortIdOf = (id: number): string => {
  let rest = (BigInt(id) * factor) % count;
  let text = '';
  for (let at = 1; at < length; at += 1) {
    text = `${characters[Number(rest % base)]}${text}`;
    rest /= base;
  }
  return `${letters[Number(rest)]}${text}`;
};

/** The id to which a short id belongs; null for text that is no short id. */
export const idOfShortId = (text: string): number | null => {
  if (!shape.test(text)) return null;
  let number = 0n;
  for (const character of text) number = number * base + BigInt(characters.indexOf(character));
  const id = (number * inverse) % count;
  return id > 0n && id < 2n ** 31n ? Number(id) : null;
};
