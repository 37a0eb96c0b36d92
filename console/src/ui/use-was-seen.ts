import { useInViewport } from '@mantine/hooks';
import { useState } from 'react';

/** Whether the element was ever on the screen: what rows further down show is requested when they come into view. */
export const useWasSeen = <T extends HTMLElement>() => {
  const { ref, inViewport } = useInViewport<T>();
  const [wasSeen, setSeen] = useState(false);
  if (inViewport && !wasSeen) setSeen(true);
  return [ref, wasSeen] as const;
};
