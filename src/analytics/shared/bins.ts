const fewestDecimals = 2;

/**
 * The bounds of bins of equal width that contain all numbers from the lowest to the highest, rounded down to two decimals, or
 * to more if the bins are narrow. Each bin starts with its lower bound; the last bound is above the highest number. Bounds
 * that are equal after rounding are one bound, so there may be fewer bins.
 */
export const binBounds = (lowest: number, highest: number, count: number): number[] => {
  const width = highest / count - lowest / count;
  const decimals =
    width > 0 && width < 1 ? Math.min(20, fewestDecimals - Math.floor(Math.log10(width))) : fewestDecimals;
  // The width of the widest ranges is infinite.
  const inner = Array.from({ length: count - 1 }, (_, at) => lowest + width * (at + 1)).filter(Number.isFinite);
  const end = roundedDown(highest, decimals) + 10 ** -decimals;
  const bounds = [lowest, ...inner].map((bound) => roundedDown(bound, decimals));
  return [...new Set([...bounds, Math.max(highest, Number(end.toFixed(decimals)))])].sort((a, b) => a - b);
};

/** Rounds a number down; a number with more digits than a double has stays unchanged. */
const roundedDown = (number: number, decimals: number): number => {
  const scaled = number * 10 ** decimals;
  return Number.isSafeInteger(Math.floor(scaled)) ? Math.floor(scaled) / 10 ** decimals : number;
};

const boundText = (bound: number): string => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound));

/** The name of a bin: `[10.0,17.5]`. */
export const binLabel = (from: number, to: number): string => `[${boundText(from)},${boundText(to)}]`;

/** The names of the bins between the bounds. */
export const binLabels = (bounds: readonly number[]): string[] =>
  bounds.slice(0, Math.max(1, bounds.length - 1)).map((from, at) => binLabel(from, bounds[at + 1] ?? from));
