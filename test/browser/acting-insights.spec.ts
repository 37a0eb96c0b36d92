import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { addAccounts } from './accounts-scene.js';
import { openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;

beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  await addAccounts(acting.service, acting.scene);
}, 240_000);
afterAll(async () => acting.stop());
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

inBrowser('a trend', () => {
  it('is drawn when its points are below and above zero and their sum is 0', async () => {
    const events = JSON.stringify([{ id: 'paid' }, { id: 'report closed' }]);
    await h.open(`insights/trends?events=${encodeURIComponent(events)}&formula=${encodeURIComponent('A - B')}`);
    await h.table('Trends').getByText('-1').waitFor();
    await h.answer.locator('canvas').first().waitFor();
    expect(await h.page.getByText('No such event in this range').count()).toBe(0);
    noFaults();
  });

  it('gets a series whose field is clicked though it already has the focus, and typed into', async () => {
    await h.open('insights/trends');
    await h.press('Add a series');
    const added = h.page.getByRole('combobox', { name: 'Series B: event', exact: true });
    await added.and(h.page.locator(':focus')).waitFor();
    await h.type('Series B: event', 'paid');
    await h.page.waitForURL(({ search }) => search.includes('paid'));
    expect(await added.inputValue()).toBe('paid');
    noFaults();
  });
});

inBrowser('a page', () => {
  it('is loaded although the browser says that it is offline, if the service answers', async () => {
    await h.open('insights/trends');
    await h.page.evaluate('window.dispatchEvent(new Event("offline"))');
    await h.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cohorts' }).click();
    await h.see('No cohorts yet');
    noFaults();
  });
});
