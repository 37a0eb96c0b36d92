/** Colours that stay apart for people who see fewer of them, and that have enough contrast on light and dark pages. */
export const seriesColors: string[] = [
  '#5159e7',
  '#e8833a',
  '#1f9d8f',
  '#d6457f',
  '#8a63d2',
  '#b58900',
  '#3b8ee0',
  '#6a9b2f',
  '#c2513e',
  '#5f7a8c',
];

export const colorAt = (index: number): string => seriesColors[index % seriesColors.length] ?? '#5159e7';
