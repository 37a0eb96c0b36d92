import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { importLines } from '../support/import.js';
import { faultsOf, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const day = 86_400_000;
const event = (name: string, distinctId: string, days: number, properties = {}) => ({
  ...{ type: 'event', event: name, distinct_id: distinctId, properties },
  timestamp: new Date(Date.now() - days * day).toISOString(),
});

let acting: Acting;
let h: Hands;
beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  const page = { $current_url: 'https://shop.example/boots' };
  await importLines(acting.service, acting.scene.projectId, [
    ...[event('$pageview', 'ada', 0, page), event('$pageview', 'ada', 1, page), event('$pageview', 'bob', 2, page)],
    ...[event('paid', 'ada', 1), event('paid', 'ada', 9)],
  ]);
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const card = (name: string) => h.page.getByRole('region', { name, exact: true });
const linesOf = async (name: string) => {
  await card(name).getByRole('listitem').first().waitFor();
  return (await card(name).getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
};

inBrowser('the overview', () => {
  it('is the first page of a project, and has its numbers', async () => {
    await h.page.goto(`${acting.service.url}/p/${acting.scene.projectId}`);
    await h.page.waitForURL(/\/overview$/);
    await card('Active persons').getByText('2', { exact: true }).first().waitFor();
    // Ada had an event before these days.
    await card('New persons').getByText('1', { exact: true }).first().waitFor();
    await card('Events').getByText('4', { exact: true }).first().waitFor();
    expect(await linesOf('Top events')).toEqual([
      ['$pageview', '3'],
      ['paid', '2'],
    ]);
    expect(await linesOf('Visits')).toEqual([['/boots', '2']]);
    await h.table('Retention by week').getByRole('rowheader').first().waitFor();
    noFaults();
  });

  it('has a list of first steps that ticks itself, until it is closed', async () => {
    const { scene } = acting;
    await h.open('overview');
    const steps = card('First steps');
    await steps.getByRole('link', { name: 'Build a first cohort' }).waitFor();
    const before = await steps.getByRole('link').count();
    await scene.create({ name: 'Buyers', is_static: true, distinct_ids: ['ada'] });
    await h.open('overview');
    await steps.getByText('Build a first cohort').waitFor();
    expect(await steps.getByRole('link').count()).toBe(before - 1);
    await card('Cohorts').getByRole('link', { name: 'Buyers' }).waitFor();
    await h.press('Close the first steps');
    await steps.waitFor({ state: 'detached' });
    await h.open('overview');
    await card('Cohorts').waitFor();
    expect(await steps.count()).toBe(0);
    noFaults();
  });

  it('is right in every form', async () => {
    const found: string[] = [];
    await inEveryForm(h, async () => {
      await h.open('overview');
      await linesOf('Visits');
      found.push(...(await faultsOf(h)));
    });
    expect(found).toEqual([]);
    noFaults();
  });
});
