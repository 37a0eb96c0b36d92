/** A line on the picture at the index of a point. */
export interface ChartMark {
  readonly at: number;
  readonly text: string;
}

interface Annotation {
  readonly content: string;
  readonly date_marker: string;
}

interface Axis {
  /** The points, as the insight writes them. */
  readonly days: readonly string[];
  readonly date_to: string;
  readonly timezone: string;
}

/** A point with an offset is a moment of its own; the clocks alone would show it twice. */
const hasOffset = (day: string): boolean => /[+-]\d\d:\d\d$/.test(day);

/** The annotations of each point, in the order of time; those of one point are one mark. */
export const marksOf = (annotations: readonly Annotation[], { days, date_to, timezone }: Axis): ChartMark[] => {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  const texts = new Map<number, string[]>();
  const inOrder = [...annotations].sort((a, b) => (a.date_marker < b.date_marker ? -1 : 1));
  for (const { content, date_marker: marker } of inOrder) {
    const moment = new Date(marker);
    if (moment > new Date(date_to)) continue;
    const then = clock.format(moment);
    const at = days.findLastIndex((day) => (hasOffset(day) ? new Date(day.replace(' ', 'T')) <= moment : day <= then));
    if (at >= 0) texts.set(at, [...(texts.get(at) ?? []), content]);
  }
  return [...texts].map(([at, contents]) => ({ at, text: contents.join('; ') }));
};

/** What screen readers read of the marks, with the label of each point; empty without any. */
export const marksInWords = (marks: readonly ChartMark[], labelOf: (at: number) => string): string =>
  marks.length === 0 ? '' : ` Annotations: ${marks.map(({ at, text }) => `${labelOf(at)}: ${text}`).join('. ')}.`;

/** A dashed line for each mark; its text shows while the pointer is on it. */
export const markLine = (marks: readonly ChartMark[]): object => ({
  symbol: 'none',
  animation: false,
  lineStyle: { type: 'dashed', width: 2, color: '#868e96' },
  label: { show: false },
  emphasis: {
    lineStyle: { width: 3 },
    label: { show: true, formatter: '{b}', position: 'insideEndTop', width: 240, overflow: 'break' },
  },
  data: marks.map(({ at, text }) => ({ xAxis: at, name: text })),
});
