import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Specs that need a real browser are skipped where none is installed, and say so. */
export const hasBrowser = (): boolean => {
  if (!executablePath) console.warn('!!! NO CHROMIUM HERE: apt-get install chromium. Tests in a browser are skipped.');
  return executablePath !== undefined;
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
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

/** A page of a browser of its own. */
export const openPage = async (): Promise<Page> => (await openBrowser()).newPage();

export const closeBrowser = async (page: Page): Promise<void> => page.context().browser()?.close();
