import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { importLines } from '../support/import.js';
import { faultsOf, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  await acting.scene.create({ name: 'Adventurers', is_static: true, distinct_ids: ['ada'] });
  const timestamp = new Date().toISOString();
  await importLines(acting.service, acting.scene.projectId, [
    { type: 'event', event: 'added to cart', distinct_id: 'ada', timestamp },
  ]);
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);
const focused = () => h.page.locator(':focus');
const found = () => h.page.getByRole('listbox', { name: 'Found' }).getByRole('option');
const field = () => h.page.getByRole('combobox', { name: 'Search everything' });

const search = async (text: string): Promise<void> => {
  await h.page.keyboard.press('Control+k');
  await field().and(focused()).waitFor();
  await h.page.keyboard.type(text);
};

inBrowser('the search of everything', () => {
  it('opens a page, a section of the settings and an action by keys alone', async () => {
    await h.open('persons');
    for (const [text, path] of [
      ['catalog', /\/catalogue$/],
      ['webhook', /\/settings\/webhooks$/],
      ['new cohort', /\/cohorts\/new$/],
      ['funnel', /\/insights\/funnel/],
    ] as const) {
      await search(text);
      await found().first().waitFor();
      await h.page.keyboard.press('Enter');
      await h.page.waitForURL(path);
      await field().waitFor({ state: 'detached' });
    }
    noFaults();
  });

  it('finds persons, cohorts and events', async () => {
    await h.open('persons');
    await search('ad');
    await found().filter({ hasText: 'Adventurers' }).waitFor();
    await found().filter({ hasText: 'added to cart' }).waitFor();
    await found().filter({ hasText: /^ada$/ }).click();
    await h.title('ada');
    await search('adv');
    await found().filter({ hasText: 'Adventurers' }).waitFor();
    await h.page.keyboard.press('ArrowDown');
    await h.page.keyboard.press('ArrowUp');
    await h.page.keyboard.press('Enter');
    await h.title('Adventurers');
    noFaults();
  });

  it('says that nothing is found, and brings the focus back', async () => {
    await h.open('persons');
    const button = h.button(/^Search/);
    await button.click();
    await field().waitFor();
    await h.page.keyboard.type('no such thing');
    await h.see('Nothing found');
    await h.page.keyboard.press('Escape');
    await button.and(focused()).waitFor();
    noFaults();
  });

  it('is right in every form', async () => {
    const faults: string[] = [];
    await inEveryForm(h, async () => {
      await h.open('persons');
      await search('ad');
      await found().filter({ hasText: 'Adventurers' }).waitFor();
      faults.push(...(await faultsOf(h)));
    });
    expect(faults).toEqual([]);
    noFaults();
  });
});

inBrowser('the keys of the console', () => {
  it('focus the search of a list, and are shown by a question mark, but not while one types', async () => {
    await h.open('persons');
    const own = h.page.getByRole('searchbox', { name: 'Search persons' });
    await own.waitFor();
    await h.page.keyboard.press('/');
    await own.and(focused()).waitFor();
    await h.page.keyboard.type('a?/');
    expect(await own.inputValue()).toBe('a?/');
    await own.blur();
    await h.page.keyboard.press('?');
    await h.dialog.getByRole('table', { name: 'Keys' }).waitFor();
    await h.page.keyboard.press('Escape');
    noFaults();
  });

  it('skip the list of pages', async () => {
    await h.open('persons');
    await h.page.keyboard.press('Tab');
    expect(await focused().innerText()).toBe('Skip to content');
    await h.page.keyboard.press('Enter');
    await h.page.locator('main').and(focused()).waitFor();
    noFaults();
  });
});
