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
    expect(await h.page.getByText('No events in this range').count()).toBe(0);
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

inBrowser('the lines of a trend', () => {
  it('are drawn and taken away by their names', async () => {
    const asked = new URLSearchParams({
      events: JSON.stringify([{ id: 'paid', math: 'dau' }, { id: 'report closed' }]),
      compare: 'true',
    });
    await h.open(`insights/trends?${asked.toString()}`);
    const lines = h.page.getByRole('group', { name: 'Lines of the chart' }).getByRole('button');
    await lines.nth(1).waitFor();
    expect(await lines.allInnerTexts()).toEqual(['A paid, unique persons', 'B report closed']);
    await lines.nth(1).click();
    await lines.nth(1).and(h.page.locator('[aria-pressed=false]')).waitFor();
    await h.page.keyboard.press('Enter');
    await lines.nth(1).and(h.page.locator('[aria-pressed=true]')).waitFor();
    noFaults();
  });
});

inBrowser('the range of time', () => {
  const asked = (from: string, to?: string) =>
    h.page.waitForURL(
      ({ searchParams }) => searchParams.get('date_from') === from && (searchParams.get('date_to') ?? undefined) === to,
    );

  it('is chosen by name and by number of days, and marked', async () => {
    await h.open('insights/trends');
    await h.range('Last 7 days', 'Yesterday');
    await asked('-1dStart', '-1dEnd');
    await h.press('Yesterday');
    expect(await h.dialog.locator('[aria-pressed=true]').allInnerTexts()).toEqual(['Yesterday']);
    await h.dialog.getByRole('textbox', { name: 'Number of days until now' }).click();
    await h.page.keyboard.type('45');
    await h.page.keyboard.press('Enter');
    await asked('-45d');
    await h.button('Last 45 days').waitFor();
    noFaults();
  });

  it('is chosen in a calendar by keys alone, and the focus comes back', async () => {
    await h.open('insights/trends?date_from=2026-03-02&date_to=2026-03-04');
    const button = h.button('2 Mar 2026 – 4 Mar 2026');
    await button.focus();
    const { keyboard } = h.page;
    await keyboard.press('Enter');
    const day = h.dialog.getByRole('button', { name: '9 March 2026', exact: true });
    await day.focus();
    await keyboard.press('Enter');
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await keyboard.press(key);
    await asked('2026-03-09', '2026-03-17');
    await h.dialog.waitFor({ state: 'hidden' });
    await h.button('9 Mar 2026 – 17 Mar 2026').and(h.page.locator(':focus')).waitFor();
    noFaults();
  });
});

inBrowser('the question', () => {
  it('is folded above its answer, which is remembered', async () => {
    const field = h.page.getByRole('combobox', { name: 'Series A: event', exact: true });
    await h.open('insights/trends');
    await field.waitFor();
    await h.press('Hide the question');
    await field.waitFor({ state: 'detached' });
    await h.open('insights/trends');
    await h.press('Change the question');
    await field.waitFor();
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

inBrowser('the cohorts of a person', () => {
  it('are marked as static in full, however long their names', async () => {
    const { scene } = acting;
    await scene.create({ name: 'Long name '.repeat(30), is_static: true, distinct_ids: ['ada'] });
    const { body } = await scene.call('GET', 'persons?search=ada');
    const [{ uuid } = { uuid: '' }] = (body as { results: { uuid: string }[] }).results;
    await h.open(`persons/${uuid}?tab=cohorts`);
    const badge = h.page.locator('main').getByText('Static', { exact: true });
    await badge.waitFor();
    expect((await badge.boundingBox())?.width).toBeGreaterThan(30);
    noFaults();
  });
});
