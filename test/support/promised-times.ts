/** Beside other tests on the same processors everything takes longer. */
export const answeredWithinMs = process.env.EVERY_CASE ? 2_000 : 3_000;
export const backWithinMs = 5_000;
