const offset = /[+-]\d\d:\d\d$/;

/** The time that clocks show at a point. Where clocks are put back, the point also has their offset: `2026-10-25 02:00:00+02:00`. */
export const clockOf = (day: string): string => day.replace(offset, '');

/** Tells two points of the same time apart: GMT+2 and GMT+1. Other points have no mark. */
export const hourMark = (day: string): string => {
  const [text] = offset.exec(day) ?? [];
  return text === undefined ? '' : ` GMT${text.replace(/^([+-])0/, '$1').replace(':00', '')}`;
};
