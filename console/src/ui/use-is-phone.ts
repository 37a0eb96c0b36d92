import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is as narrow as on a phone. Known at once, so that a page is not drawn twice. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) === true;
