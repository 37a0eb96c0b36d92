import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { bootstrapFile, type BootstrapFile, type RunningProcess } from './process.js';

/** Waits for the link that each start prints for the person at the terminal. */
export const signInLink = async (service: RunningProcess, withinMs = 150_000): Promise<string> => {
  for (const end = Date.now() + withinMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const [link] = /http:\/\/\S+#signin=[\w-]+/.exec(service.output()) ?? [];
    if (link !== undefined) return linkAt(service, link);
  }
  throw new Error(`the service printed no link:\n${service.output()}`);
};

/** The service prints links to localhost; a cookie belongs to the host that the test opens. */
export const linkAt = ({ url }: RunningProcess, link: string): string => {
  const { pathname, hash } = new URL(link);
  return `${url}${pathname}${hash}`;
};

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page and of its console, and answers that are failures. */
  readonly faults: string[];
}

/** A person at a browser of their own. Faults are listed with the page on which they happened. */
export const visitor = async (browser: Browser): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  const at = () => new URL(page.url()).pathname;
  page.on('console', (message) => {
    // What a request failed with is listed by its answer.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`${at()} console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${at()} error: ${String(error)}`));
  page.on('response', (response) => {
    if (response.status() >= 400)
      faults.push(`${at()} ${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return { context, page, faults };
};

/** Calls of the interface with the key of the first start, to compare what a page shows with what the service says. */
export const callsOf = async (dataDir: string, url: string) => {
  const made: BootstrapFile = await bootstrapFile(dataDir);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${made.personal_api_key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  return { ...made, call };
};
