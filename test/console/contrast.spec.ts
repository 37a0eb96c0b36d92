import { describe, expect, it } from '@jest/globals';
import { DEFAULT_THEME } from '@mantine/core';
import { theme } from '../../console/src/app/theme.js';
import { seriesColors } from '../../console/src/charts/palette.js';

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** The relative luminance of WCAG. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

const white = '#ffffff';
const paper = { light: white, dark: DEFAULT_THEME.colors.dark[7] };

describe('the contrast of the console', () => {
  it('is that of WCAG between black and white', () => expect(contrast('#000000', white)).toBe(21));

  it.each(['light', 'dark'] as const)('is 3 to 1 for each line and bar of a picture on %s paper', (scheme) => {
    expect(seriesColors.filter((color) => contrast(color, paper[scheme]) < 3)).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('is enough for buttons in the %s scheme, and for the text on them', (scheme) => {
    const shades = theme.primaryShade as Record<'light' | 'dark', number>;
    const button = theme.colors?.['kohort']?.[shades[scheme]] ?? '';
    expect(contrast(button, paper[scheme])).toBeGreaterThanOrEqual(3);
    expect(contrast(button, white)).toBeGreaterThanOrEqual(4.5);
  });
});
