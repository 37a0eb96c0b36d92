import { Suspense, useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { idle } from './idle';

/** Draws its children after the page that they are on, in short pieces, so that a large page never holds up the browser at once. */
export function Later({ children, until = null }: { readonly children: ReactNode; readonly until?: ReactNode }) {
  return useDeferredValue(true, false) ? children : until;
}

/** Draws its children, whose code may have to be loaded, once the page around them is ready and on the screen. */
export function WhenIdle({
  children,
  isReady,
  until,
}: {
  readonly children: ReactNode;
  readonly isReady: boolean;
  readonly until: ReactNode;
}) {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    let isGone = false;
    void idle().then(() => {
      if (!isGone) setIdle(true);
    });
    return () => {
      isGone = true;
    };
  }, [isReady]);
  return isIdle ? <Suspense fallback={until}>{children}</Suspense> : until;
}
