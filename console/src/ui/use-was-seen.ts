import { useInViewport } from '@mantine/hooks';
import { useState } from 'react';

/** True once the element was on the screen: rows further down are requested when they come into view. */
export const useWasSeen = <T extends HTMLElement>() => {
  const { ref, inViewport } = useInViewport<T>();
  const [wasSeen, setSeen] = useState(false);
  if (inViewport && !wasSeen) setSeen(true);
  return [ref, wasSeen] as const;
};
