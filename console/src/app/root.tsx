import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

/** Loaded after the page, which has nothing to tell before it is drawn. */
const Messages = lazy(() => import('./messages'));

export function Root() {
  return (
    <>
      <Outlet />
      <Suspense>
        <Messages />
      </Suspense>
    </>
  );
}
