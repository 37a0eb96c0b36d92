import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The sixth is read on dark paper and has white text on it. */
const kohort: MantineColorsTuple = [
  '#eef0ff',
  '#dadefc',
  '#b2b9f5',
  '#8891ef',
  '#6670ea',
  '#5b63e9',
  '#454ee6',
  '#373fcd',
  '#2f38b8',
  '#252fa2',
];

const named = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } };

export const theme = createTheme({
  primaryColor: 'kohort',
  primaryShade: { light: 6, dark: 5 },
  colors: { kohort },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  /** One scale for all pages: a fifth more from step to step, and spaces in fours. */
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.875rem', lineHeight: '1.2' },
      h2: { fontSize: '1.5rem', lineHeight: '1.25' },
      h3: { fontSize: '1.25rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h5: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h6: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  respectReducedMotion: true,
  autoContrast: true,
  // Its cross has no text.
  components: { Modal: named },
});
