/** Colours that stay apart for people who see fewer of them, each with a contrast of 3 to 1 on white and on dark paper. */
export const seriesColors: string[] = [
  '#5b63e9',
  '#d97326',
  '#1f9d8f',
  '#d6457f',
  '#8a63d2',
  '#b58900',
  '#3b8ee0',
  '#6a9b2f',
  '#c2513e',
  '#5f7a8c',
];

export const colorAt = (index: number): string => seriesColors[index % seriesColors.length] ?? '#5b63e9';

/** The colour of each drawn line: its own if it has one, else the first that no other has. */
export const colorsOf = (drawn: ReadonlySet<number>): ReadonlyMap<number, string> => {
  const own = [...drawn].filter((line) => line < seriesColors.length);
  const free = seriesColors.filter((_, at) => !own.includes(at));
  const others = [...drawn].filter((line) => line >= seriesColors.length);
  return new Map([
    ...own.map((line) => [line, colorAt(line)] as const),
    ...others.map((line, at) => [line, free[at] ?? colorAt(line)] as const),
  ]);
};
