/** Until the browser has nothing else to do. Safari has no `requestIdleCallback`. */
export const idle = (): Promise<unknown> =>
  new Promise((resolve) => ('requestIdleCallback' in window ? requestIdleCallback(resolve) : setTimeout(resolve, 200)));
