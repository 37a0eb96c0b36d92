import { useEffect, useState } from 'react';

/** Shows the page without the list of pages, on the whole screen; Escape ends it. */
export const useFullScreen = (): readonly [boolean, () => void] => {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-full-screen', isFull);
    return () => document.documentElement.removeAttribute('data-full-screen');
  }, [isFull]);
  const toggle = (): void =>
    void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() =>
      setFull(false),
    );
  return [isFull, toggle];
};
