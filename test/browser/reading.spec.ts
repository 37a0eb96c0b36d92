import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { importLines, personLine } from '../support/import.js';
import { faultsOf, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
let first: number;
let second: number;

const hour = 3_600_000;
/** Noon, some whole days ago. */
const daysAgo = (days: number, minutes = 0): string => {
  const noon = Math.floor(Date.now() / (24 * hour)) * 24 * hour + 12 * hour;
  return new Date(noon - days * 24 * hour + minutes * 60_000).toISOString();
};

beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  const { service, scene } = acting;
  const paid = (days: number, name: string, plan: string, minutes = 0) => ({
    type: 'event',
    event: 'order paid',
    distinct_id: name,
    timestamp: daysAgo(days, minutes),
    properties: { plan },
  });
  await importLines(service, scene.projectId, [
    ...['ada', 'bob', 'cy', 'dan', 'fay'].map((name) => personLine(name, { name })),
    // Three days ago 1, two days ago 2, yesterday 3 orders.
    paid(3, 'ada', 'free'),
    paid(2, 'ada', 'free'),
    paid(2, 'bob', 'pro'),
    ...['ada', 'bob', 'cy'].map((name) => paid(1, name, 'pro')),
    { ...paid(2, 'dan', 'free'), event: 'refunded' },
    // Two sessions, with a pause of 31 minutes between them.
    ...[0, 10, 41].map((minutes) => ({
      type: 'event',
      event: minutes === 41 ? 'came back' : '$pageview',
      distinct_id: 'fay',
      timestamp: daysAgo(1, minutes),
      properties: { $pathname: `/page-${minutes}`, $browser: 'Firefox' },
    })),
  ]);
  first = (await scene.create({ name: 'Buyers', is_static: true, distinct_ids: ['ada', 'bob', 'cy'] })).id;
  second = (await scene.create({ name: 'Visitors', is_static: true, distinct_ids: ['cy', 'dan', 'fay'] })).id;
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);
const orders = (more: Record<string, string>): string =>
  `insights/trends?${new URLSearchParams({ events: JSON.stringify([{ id: 'order paid' }]), ...more }).toString()}`;
const byPlan = JSON.stringify([{ type: 'event', property: 'plan' }]);

inBrowser('a trend with a breakdown', () => {
  it('has a chart for each value, whose number opens its persons', async () => {
    await h.open(orders({ breakdowns: byPlan }));
    await h.choose('Picture', 'Small charts');
    const charts = h.page.getByRole('list', { name: 'Charts' }).getByRole('listitem');
    await charts.nth(1).locator('canvas').first().waitFor();
    const texts = (await charts.allInnerTexts()).map((text) => text.split('\n').filter((one) => one !== ''));
    expect(texts).toEqual([
      ['pro', '4'],
      ['free', '2'],
    ]);
    await charts.nth(1).getByRole('button').click();
    await h.dialog
      .getByRole('status')
      .filter({ hasText: /^1 person$/ })
      .first()
      .waitFor();
    await h.page.keyboard.press('Escape');
    noFaults();
  });

  it('shows the growth of each point, which is saved with it', async () => {
    await h.open(orders({}));
    await h.choose('Picture', 'Growth rate');
    await h.table('Trends').getByText('+50%').waitFor();
    await h.answer.locator('canvas').first().waitFor();
    const cells = h.table('Trends').locator('tbody td');
    const texts = await cells.allInnerTexts();
    // The total, then a point for each day: nothing before three days ago, today is not over.
    expect(texts[0]).toBe('6');
    expect(texts.slice(-4)).toEqual(['–', '+100%', '+50%', '–']);
    await h.press('Save');
    await h.fill('Name', 'Growing orders', h.dialog);
    await h.press('Save', h.dialog);
    await h.title('Growing orders');
    const { results } = await h.ask<{ results: { question: { params: unknown } }[] }>('insights');
    expect(results[0]?.question.params).toMatchObject({ display: 'GrowthRate' });
    noFaults();
  });
});

inBrowser('a saved insight', () => {
  it('has an owner, and a history of who changed what', async () => {
    await h.open('saved?shown=insights');
    const row = h.page.getByRole('row').filter({ hasText: 'Growing orders' });
    const owner = (await row.getByRole('cell').allInnerTexts())[3];
    expect(owner).toMatch(/\w/);
    await row.getByRole('link', { name: 'Growing orders' }).click();
    await h.title('Growing orders');
    await h.choose('Picture', 'Line');
    await h.press('Save changes');
    await h.press('History');
    await h.dialog.getByText(`Owned by ${owner}, who saved it on`).waitFor();
    await h.dialog.getByText(/^2 entries/).waitFor();
    const entries = await h.dialog.getByText(/ · (created|updated)$/).allInnerTexts();
    expect(entries).toEqual([`${owner} · updated`, `${owner} · created`]);
    await h.page.keyboard.press('Escape');
    noFaults();
  });
});

inBrowser('the timeline of a person', () => {
  it('comes first, in sessions, each with its events', async () => {
    const { results } = await h.ask<{ results: { uuid: string }[] }>('persons?search=fay');
    await h.open(`persons/${results[0]?.uuid}`);
    const sessions = h.page.getByRole('region', { name: /^Session,/ });
    await sessions.nth(1).waitFor();
    const texts = (await sessions.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^12:41 · 1 event Firefox came back \/page-41 12:41:00$/);
    expect(texts[1]).toMatch(/^12:00 – 12:10 · 10 min · 2 events Firefox \$pageview \/page-10 /);
    await sessions
      .nth(0)
      .getByRole('button', { name: /came back/ })
      .click();
    await h.dialog.getByText('$pathname').waitFor();
    await h.page.keyboard.press('Escape');
    noFaults();
  });
});

inBrowser('two cohorts', () => {
  it('are compared: each number is that of the list that it opens', async () => {
    await h.open('cohorts');
    await h.page.getByRole('link', { name: 'Compare' }).click();
    await h.type('First cohort', 'Buyers');
    await h.type('Second cohort', 'Visitors');
    const overlap = h.page.getByRole('region', { name: 'Overlap' });
    await overlap.getByText('1 person in both: 33.3% of Buyers, 33.3% of Visitors').waitFor();
    const links = overlap.getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['2', '1', '2']);
    const behaviour = h.page.getByRole('table', { name: 'Behaviour' }).getByRole('row');
    await behaviour.filter({ hasText: 'order paid' }).waitFor();
    const row = await behaviour.filter({ hasText: 'order paid' }).innerText();
    expect(row.replace(/\s+/g, ' ')).toBe('order paid 100% · 3 33.3% · 1 −66.7 pp');
    await h.opensPersons(behaviour.filter({ hasText: 'order paid' }).getByRole('button').first());
    await overlap.getByRole('link', { name: 'Only Visitors: 2 persons' }).click();
    await h.see(/^2 persons/);
    noFaults();
  });

  it('are right in every form, as are small charts and timelines', async () => {
    const faults: string[] = [];
    const { results } = await h.ask<{ results: { uuid: string }[] }>('persons?search=fay');
    await inEveryForm(h, async () => {
      for (const [path, text] of [
        [`cohorts/compare?a=${first}&b=${second}`, 'Open in Insights'],
        [`persons/${results[0]?.uuid}`, 'came back'],
        [orders({ breakdowns: byPlan, display: 'SmallMultiples' }), 'pro'],
        [orders({ display: 'GrowthRate' }), '+50%'],
      ] as const) {
        await h.open(path);
        await h.see(text);
        // A table of numbers scrolls sideways.
        faults.push(...(await faultsOf(h)).filter((fault) => !fault.includes(': Trends, ')));
      }
    });
    expect(faults).toEqual([]);
    noFaults();
  });
});
