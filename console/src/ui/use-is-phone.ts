import { useMediaQuery } from '@mantine/hooks';

const narrow = '(max-width: 48em)';

/** True if the page is as narrow as on a phone. */
export const isPhone = (): boolean => window.matchMedia(narrow).matches;

/** Follows a window that is made smaller or larger. Known at once, so that a page is not drawn twice. */
export const useIsPhone = (): boolean => useMediaQuery(narrow, undefined, { getInitialValueInEffect: false }) === true;
