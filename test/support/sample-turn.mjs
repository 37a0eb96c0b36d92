/** Samples of long lists differ from day to day: all workers of a run take those of one day. `SAMPLE_TURN=…` repeats another. */
process.env.SAMPLE_TURN ??= String(Math.floor(Date.now() / 86_400_000));
