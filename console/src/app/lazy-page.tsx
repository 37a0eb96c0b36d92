import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Later } from '../ui/later';
import { Blank } from './fallbacks';

/** For about half a minute, which a restart of the service takes at most, the code of a page is fetched again. */
const attempts = 20;
const pauseMs = 1500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

const patiently = async <T,>(load: () => Promise<T>, left = attempts): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (left === 0) throw error;
    await pause();
    return patiently(load, left - 1);
  }
};

const known: { readonly preload?: () => Promise<void> | undefined }[] = [];

/**
 * A page whose code is loaded when it is opened. The router shows it at once when the code has come, in one piece that would hold
 * up the browser; so it is drawn after that, in short ones.
 */
export const lazyPage = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, () => ReactNode>>>,
  name: Name,
) => {
  const Page = lazyRouteComponent(async (): Promise<{ default: () => ReactNode }> => {
    const { [name]: component } = await patiently(load);
    return { default: component };
  });
  known.push(Page);
  const InPieces = () => (
    <Later until={<Blank />}>
      <Page />
    </Later>
  );
  return Object.assign(InPieces, { preload: () => Page.preload?.() ?? Promise.resolve() });
};

/** Safari has no `requestIdleCallback`. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200)));

/** Loads the code of all pages while nothing else is to do: they open at once then, even while the service is restarted. */
export const preparePages = async (): Promise<void> => {
  for (const { preload } of known) {
    await idle();
    await preload?.();
  }
};
