import { chromium, type Page } from 'playwright-core';
import { executablePath } from './chromium.js';

/** A page of a real headless browser; null, and loudly so, where none can be had. */
export const browser = async (): Promise<Page | null> => {
  if (!executablePath) {
    console.warn('!!! NO CHROMIUM HERE: apt-get install chromium. The browser test did not run');
    return null;
  }
  const launched = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return launched.newPage();
};
