import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Later } from '../ui/later';
import { Outline } from './outline';

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

/** Resolves when what was drawn last is on the screen, which is when the frame after it begins. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));

/**
 * The options of a route whose code is loaded when it is opened. The frame and the outline of the page are on the screen before
 * that begins, because the router would wait for what a component or a loader has it wait for. The page is drawn in short pieces,
 * between which the browser can answer.
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
    <Later until={<Outline />}>
      <Page />
    </Later>
  );
  const loader = (): void => void painted().then(() => Page.preload?.());
  return { component: InPieces, loader };
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
