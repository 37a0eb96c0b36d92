import { createTheme, type MantineColorsTuple } from '@mantine/core';

const kohort: MantineColorsTuple = [
  '#eef0ff',
  '#dadefc',
  '#b2b9f5',
  '#8891ef',
  '#6670ea',
  '#5159e7',
  '#454ee6',
  '#373fcd',
  '#2f38b8',
  '#252fa2',
];

const named = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } };

export const theme = createTheme({
  primaryColor: 'kohort',
  colors: { kohort },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  autoContrast: true,
  // Its cross has no text.
  components: { Modal: named },
});
