import { type Page } from 'playwright-core';

/** The names of the tables that the window has no room for, so that they scroll sideways. */
export const wideTables = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('table, [role=grid]')].flatMap((table) => {
    const { scrollWidth, clientWidth } = table.matches('[role=grid]') ? table : table.parentElement;
    const name = table.ariaLabel ?? table.querySelector('th')?.innerText ?? 'a table';
    return scrollWidth > clientWidth + 1 ? [name + ', ' + scrollWidth + ' in ' + clientWidth] : [];
  })`);
