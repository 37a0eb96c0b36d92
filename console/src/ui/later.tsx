import { useDeferredValue, type ReactNode } from 'react';

/** Draws its children after the page that they are on, in short pieces, so that a large page never holds up the browser at once. */
export function Later({ children, until = null }: { readonly children: ReactNode; readonly until?: ReactNode }) {
  return useDeferredValue(true, false) ? children : until;
}
