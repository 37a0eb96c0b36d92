/** The complementary error function, with an error below 2e-7. */
const erfc = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * x);
  const terms = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  return terms.reduceRight((sum, term) => (sum + term) * t, 0) * Math.exp(-x * x);
};

export interface FourFields {
  readonly success: number;
  readonly failure: number;
  readonly successTotal: number;
  readonly failureTotal: number;
}

/**
 * How likely a difference at least as big is if the row has nothing to do with the conversion: Pearson's chi-squared test of the
 * four fields, with Yates's correction. Null where a field is expected to have fewer than five persons, because the test then
 * says nothing.
 */
export const pValue = ({ success, failure, successTotal, failureTotal }: FourFields): number | null => {
  const [missing, unlike] = [successTotal - success, failureTotal - failure];
  const all = successTotal + failureTotal;
  const [withRow, without] = [success + failure, missing + unlike];
  const least = (Math.min(withRow, without) * Math.min(successTotal, failureTotal)) / Math.max(1, all);
  if (least < 5) return null;
  const distance = Math.max(0, Math.abs(success * unlike - failure * missing) - all / 2);
  const chiSquared = (all * distance * distance) / (withRow * without * successTotal * failureTotal);
  return erfc(Math.sqrt(chiSquared / 2));
};

export const significanceText = (p: number | null, many: string): string => {
  if (p === null) return `too few ${many}`;
  if (p < 0.001) return 'p < 0.001';
  return `p = ${p.toFixed(3)}`;
};
