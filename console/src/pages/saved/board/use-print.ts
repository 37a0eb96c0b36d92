import { useMantineColorScheme } from '@mantine/core';

/** Charts need this long to be drawn anew in other colours and in another width. */
const drawnMs = 900;

/** Prints the page in light colours and in the width of the paper, whatever the screen has. */
export const usePrint = (): (() => void) => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return () => {
    const root = document.documentElement;
    const restore = (): void => {
      root.removeAttribute('data-printing');
      if (colorScheme !== 'light') setColorScheme(colorScheme);
    };
    root.setAttribute('data-printing', '');
    if (colorScheme !== 'light') setColorScheme('light');
    window.addEventListener('afterprint', restore, { once: true });
    setTimeout(() => window.print(), drawnMs);
  };
};
