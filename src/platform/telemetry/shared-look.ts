/** How long the result of one look is reused: all gauges are read at the same moment. */
const usualShareMs = 500;

/** Shares one look at a store among gauges. Returns null while the store is away, so that the gauges keep their last values. */
export const sharedLook = <T>(look: () => Promise<T>, shareMs = usualShareMs): (() => Promise<T | null>) => {
  let latest: { at: number; seen: Promise<T | null> } | null = null;
  return () => {
    if (!latest || Date.now() - latest.at > shareMs) latest = { at: Date.now(), seen: look().catch(() => null) };
    return latest.seen;
  };
};
