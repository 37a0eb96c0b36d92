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
  headings: { fontWeight: '650' },
  autoContrast: true,
  // Its cross has no text.
  components: { Modal: named },
});
