import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
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

const parts: (() => Promise<unknown> | undefined)[] = [];

export type LazyPart<Props> = AsyncRouteComponent<Props>;

/** A part of a page whose code is loaded when it is drawn, or with `preload` before that. */
export const lazyPart = <Props,>(load: () => Promise<(props: Props) => ReactNode>): LazyPart<Props> => {
  const Part = lazyRouteComponent(async () => ({ default: await patiently(load) }));
  parts.push(() => Part.preload?.());
  return Part;
};

/**
 * A page whose code is loaded when it is opened. The router shows it at once when the code has come, in one piece that would hold
 * up the browser; so it is drawn after that, in short ones.
 */
export const lazyPage = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, () => ReactNode>>>,
  name: Name,
) => {
  const Page = lazyPart(async () => (await load())[name]);
  const InPieces = () => (
    <Later until={<Blank />}>
      <Page />
    </Later>
  );
  return Object.assign(InPieces, { preload: () => Page.preload?.() ?? Promise.resolve() });
};

/** Draws its children after the page that they are on, in short pieces, so that a large page never holds up the browser at once. */
export function Later({ children, until = null }: { readonly children: ReactNode; readonly until?: ReactNode }) {
  return useDeferredValue(true, false) ? children : until;
}

/** Until the browser has nothing else to do. Safari has no `requestIdleCallback`. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200)));

/** Loads the code of all pages, of their parts and `more` while nothing else is to do: they open at once then, even while the service is restarted. */
export const preparePages = async (more: typeof parts): Promise<void> => {
  for (const load of [...parts, ...more]) {
    await idle();
    await load();
  }
};
