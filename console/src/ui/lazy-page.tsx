import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { idle } from './idle';
import { Later } from './later';
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

const known: (() => Promise<unknown> | undefined)[] = [];

/** Names something that is loaded when it is needed, and by `preparePages` before. */
export const loadedLater = (load: () => Promise<unknown> | undefined): void => {
  known.push(load);
};

export type LazyPart<Props> = AsyncRouteComponent<Props>;

/** A part of a page whose code is loaded when it is drawn, or with `preload` before that. */
export const lazyPart = <Props,>(load: () => Promise<(props: Props) => ReactNode>): LazyPart<Props> => {
  const Part = lazyRouteComponent(async () => ({ default: await patiently(load) }));
  loadedLater(() => Part.preload?.());
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

/** Loads the code of all pages and of their parts while nothing else is to do: they open at once then, even while the service is restarted. */
export const preparePages = async (): Promise<void> => {
  for (const load of known) {
    await idle();
    await load();
  }
};
