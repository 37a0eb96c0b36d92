/** How long one look is reused: all gauges are read at the same moment. */
const usualShareMs = 500;

/** Metrics must be served even while a store is away: then the look returns null, and the gauges keep their last value. */
export const sharedLook = <T>(look: () => Promise<T>, shareMs = usualShareMs): (() => Promise<T | null>) => {
  let latest: { at: number; seen: Promise<T | null> } | null = null;
  return () => {
    if (!latest || Date.now() - latest.at > shareMs) latest = { at: Date.now(), seen: look().catch(() => null) };
    return latest.seen;
  };
};
