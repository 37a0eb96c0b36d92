/** Rich text would take what is in braces for a style. */
export const plainText = (text: string): string => text.replaceAll('{', '(').replaceAll('}', ')');

/** What a tooltip is told about one series at the point. */
export interface TooltipPoint {
  readonly axisValueLabel: string;
  readonly seriesName: string;
  readonly marker: string;
  readonly value: unknown;
}

const mostRows = 12;
const mostLetters = 48;

export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** The largest numbers at a point: a list of all of them would be higher than the picture. */
export const pointText = (points: readonly TooltipPoint[], format: (value: number) => string): string => {
  const rows = points
    .flatMap(({ value, ...point }) => (typeof value === 'number' ? [{ ...point, value }] : []))
    .sort((a, b) => b.value - a.value);
  const lines = rows
    .slice(0, mostRows)
    .map(
      ({ marker, seriesName, value }) => `${marker}${plainText(shortened(seriesName, mostLetters))}  ${format(value)}`,
    );
  const more = rows.length - lines.length;
  return [plainText(points[0]?.axisValueLabel ?? ''), ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};
