const partsIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });

const asUtc = (label: string): number => Date.parse(`${label.replace(' ', 'T')}Z`);

/** The moments that a clock of the zone shows as this text, the earlier one first: two where clocks are put back. */
const momentsAt = (label: string, timeZone: string): string[] => {
  const clock = partsIn(timeZone);
  const shown = asUtc(label);
  const day = 86_400_000;
  const offsets = [-day, day].map((distance) => asUtc(clock.format(new Date(shown + distance))) - (shown + distance));
  const moments = [...new Set(offsets.map((offset) => shown - offset))].sort((a, b) => a - b);
  return moments.filter((moment) => clock.format(moment) === label).map((moment) => new Date(moment).toISOString());
};

/**
 * The points as parameters. Where clocks are put back, two points of an axis by hours have the same text, which a request
 * could not tell apart: each of them is the moment at which it begins.
 */
export const pointMoments = (days: readonly string[], timeZone: string): string[] => {
  if (new Set(days).size === days.length) return [...days];
  const times = new Map<string, number>();
  const isRepeated = (day: string): boolean => days.indexOf(day) !== days.lastIndexOf(day);
  return days.map((day) => {
    if (!isRepeated(day)) return day;
    const before = times.get(day) ?? 0;
    times.set(day, before + 1);
    return momentsAt(day, timeZone)[before] ?? day;
  });
};

/** What tells two points of the same text apart for the reader: GMT+2 and GMT+1. Other points have no mark. */
export const hourMark = (day: string, moment: string, timeZone: string): string => {
  if (moment === day) return '';
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(
    new Date(moment),
  );
  return ` ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
};
