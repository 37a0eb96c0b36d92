import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Locator } from 'playwright-core';
import { hasBrowser, openBrowser } from '../support/browser.js';
import { visitor } from '../support/console.js';
import { importLines } from '../support/import.js';
import { until } from '../support/until.js';
import { faultsOf, hostileName, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  const event = (name: string, distinctId: string) => ({
    ...{ type: 'event', event: name, distinct_id: distinctId, timestamp: new Date().toISOString() },
  });
  await importLines(acting.service, acting.scene.projectId, [
    ...[event('product viewed', 'ada'), event('product viewed', 'bob')],
    ...[event('added to cart', 'ada'), event('order paid', 'ada')],
  ]);
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const titles = () => h.page.locator('main section h2').allInnerTexts();
const boardPath = () => `dashboards/${Number(new URL(h.page.url()).pathname.split('/').at(-1))}`;
type Placed = readonly [name: string, x: number, y: number, width: number, height: number];
/** The tiles by their places; a text has its beginning as its name. */
const tiles = async (): Promise<readonly Placed[]> => {
  interface Board {
    readonly tiles: readonly {
      readonly insight?: { readonly name: string };
      readonly text: { readonly body: string } | null;
      readonly layouts: {
        readonly sm: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
      };
    }[];
  }
  const board = await h.ask<Board>(boardPath());
  return board.tiles.map(({ insight, text, layouts: { sm } }) => [
    insight?.name ?? text?.body ?? '',
    sm.x,
    sm.y,
    sm.w,
    sm.h,
  ]);
};
const stored = async (expected: readonly Placed[]): Promise<void> => {
  await until(async () => JSON.stringify(await tiles()) === JSON.stringify(expected));
};

/** Somebody without an account. */
const reader = async (link: string) => {
  const browser = await openBrowser();
  const { page, faults } = await visitor(browser);
  await page.goto(link);
  return { browser, page, faults };
};

inBrowser('a dashboard', () => {
  it('begins with the insights of a template, which take the events of the project', async () => {
    await h.open('saved');
    await h.press('New dashboard');
    await h.fill('Name', 'Shop', h.dialog);
    await h.choose('Start with', 'Online shop', h.dialog);
    await h.press('Create', h.dialog);
    await h.title('Shop');
    await stored([
      ['From a look to an order', 0, 0, 12, 5],
      ['Orders', 0, 5, 6, 5],
      ['Buyers', 6, 5, 6, 5],
      ['Do buyers buy again?', 0, 10, 12, 5],
    ]);
    await h.page.getByRole('button', { name: '1 reached step 3: the persons' }).waitFor();
    noFaults();
  });

  const grip = (name: string) => h.page.getByRole('button', { name: new RegExp(`^Move the tile ${name}`) });
  const tile = (name: string) => h.page.getByRole('region', { name, exact: true });
  /** Pulls from the middle of something by so many columns and rows. */
  const pull = async (from: Locator, [columns, rows]: readonly [number, number]): Promise<void> => {
    await from.scrollIntoViewIfNeeded();
    await from.hover();
    const box = await from.boundingBox();
    const width = (await grid().boundingBox())?.width ?? 0;
    if (!box || width === 0) throw new Error('nothing to pull');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await h.page.mouse.down();
    await h.page.mouse.move(x + 5, y + 5);
    await h.page.mouse.move(x + ((width + 16) / 12) * columns, y + 92 * rows, { steps: 6 });
    await h.page.mouse.up();
  };
  const grid = () => h.page.locator('main section').first().locator('xpath=../..');

  it('has tiles that are dragged in two directions, and moved by keys', async () => {
    await h.page.setViewportSize({ width: 1440, height: 1000 });
    await tile('Orders').locator('canvas').waitFor();
    await pull(grip('Orders'), [0, -5]);
    await stored([
      ['Orders', 0, 0, 6, 5],
      ['From a look to an order', 0, 5, 12, 5],
      ['Buyers', 6, 10, 6, 5],
      ['Do buyers buy again?', 0, 15, 12, 5],
    ]);
    expect(await titles()).toEqual(['Orders', 'From a look to an order', 'Buyers', 'Do buyers buy again?']);
    await grip('Buyers').focus();
    await h.page.keyboard.press('ArrowUp');
    const beside: readonly Placed[] = [
      ['Orders', 0, 0, 6, 5],
      ['Buyers', 6, 0, 6, 5],
      ['From a look to an order', 0, 5, 12, 5],
      ['Do buyers buy again?', 0, 10, 12, 5],
    ];
    await stored(beside);
    await h.page.getByRole('status').filter({ hasText: 'Column 7, row 1, 6 by 5' }).waitFor();
    await h.page.keyboard.press('ArrowLeft');
    await h.page.keyboard.press('ArrowLeft');
    await stored([
      ['Buyers', 4, 0, 6, 5],
      ['Orders', 0, 5, 6, 5],
      ['From a look to an order', 0, 10, 12, 5],
      ['Do buyers buy again?', 0, 15, 12, 5],
    ]);
    await pull(grip('Buyers'), [2, 0]);
    await stored(beside);
    await pull(grip('Orders'), [3, 3]);
    await stored([
      ['Buyers', 6, 0, 6, 5],
      ['From a look to an order', 0, 5, 12, 5],
      ['Orders', 3, 10, 6, 5],
      ['Do buyers buy again?', 0, 15, 12, 5],
    ]);
    await grip('Orders').focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowUp']) await h.page.keyboard.press(key);
    await stored(beside);
    // What was dragged stays where it was when Escape is pressed.
    await grip('Orders').hover();
    await h.page.mouse.down();
    await h.page.mouse.move(900, 700, { steps: 3 });
    await h.page.keyboard.press('Escape');
    await h.page.mouse.up();
    expect(await titles()).toEqual(['Orders', 'Buyers', 'From a look to an order', 'Do buyers buy again?']);
    noFaults();
  });

  it('has tiles that are made larger by their edges and corner, with the pointer and by keys', async () => {
    const edge = (side: 'Width' | 'Height', name: string) =>
      h.page.getByRole('separator', { name: `${side} of the tile ${name}` });
    const height = async () => (await tile('Orders').locator('canvas').boundingBox())?.height ?? 0;
    const before = await height();
    await pull(edge('Height', 'Orders'), [0, 2]);
    await until(async () => (await tiles())[0]?.[4] === 7);
    // The picture has the room.
    await until(async () => Math.abs((await height()) - before - 184) < 2);
    await pull(edge('Width', 'Buyers'), [-2, 0]);
    await until(async () => (await tiles())[1]?.[3] === 4);
    await pull(tile('Buyers').locator('xpath=..').locator('[data-corner]'), [2, -1]);
    await until(async () => JSON.stringify((await tiles())[1]) === JSON.stringify(['Buyers', 6, 0, 6, 4]));
    await edge('Height', 'Orders').focus();
    await h.page.keyboard.press('ArrowUp');
    await h.page.keyboard.press('ArrowUp');
    await edge('Height', 'Buyers').focus();
    await h.page.keyboard.press('ArrowDown');
    await stored([
      ['Orders', 0, 0, 6, 5],
      ['Buyers', 6, 0, 6, 5],
      ['From a look to an order', 0, 5, 12, 5],
      ['Do buyers buy again?', 0, 10, 12, 5],
    ]);
    noFaults();
  });

  it('shows a funnel of three steps in half its width without scrolling', async () => {
    await h.menu('Change the tile From a look to an order', 'Half the width');
    await until(async () => (await tiles())[2]?.[3] === 6);
    const fits = `(({ scrollWidth, parentElement }) => scrollWidth <= parentElement.parentElement.clientWidth)(
      document.querySelector('main section ol'),
    )`;
    await until(() => h.page.evaluate<boolean>(fits));
    noFaults();
  });

  it('has texts, in which nothing runs', async () => {
    await h.menu('Add', 'Text');
    const text = `# Weekly ${hostileName}\n- **orders** by [day](https://example.com/)\n- [run](javascript:alert(1))`;
    await h.dialog.getByRole('textbox', { name: 'Text' }).click();
    await h.page.keyboard.type(text);
    await h.press('Add', h.dialog);
    const name = `Weekly ${hostileName}`;
    await tile(name).waitFor();
    await until(async () => (await tiles()).at(-1)?.[0] === text.replaceAll('\\n', '\n'));
    expect(await tile(name).getByRole('heading', { level: 2 }).innerText()).toBe(name);
    expect(await tile(name).getByRole('link').count()).toBe(1);
    expect(await tile(name).getByRole('link').getAttribute('rel')).toContain('noopener');
    await tile(name).getByText('[run](javascript:alert(1))').waitFor();
    expect(await h.page.evaluate('window.__hostile')).toBeUndefined();
    await h.menu(`Change the tile ${name}`, 'Edit');
    await h.fill('Text', '## This week', h.dialog);
    await h.press('Save', h.dialog);
    await tile('This week').waitFor();
    await grip('This week').focus();
    for (let at = 0; at < 3; at++) await h.page.keyboard.press('ArrowUp');
    await until(async () => JSON.stringify((await tiles())[0]) === JSON.stringify(['## This week', 0, 0, 12, 2]));
    noFaults();
  });

  it('has a range, filters and a breakdown for all tiles, in the address until they are saved', async () => {
    const answers = () => h.page.waitForResponse((one) => one.url().includes('filters_override') && one.ok());
    const filtersIn = (url: string) =>
      JSON.parse(new URL(url).searchParams.get('filters_override') ?? 'null') as unknown;
    let asked = answers();
    await h.range('Range of each insight', 'Last 7 days');
    expect(filtersIn((await asked).url())).toMatchObject({ date_from: '-7d', properties: [] });
    await h.press('Filters');
    const panel = h.page.getByRole('region', { name: 'Filters for all tiles' });
    asked = h.page.waitForResponse((one) => one.url().includes('%22plan%22') && one.ok());
    await h.press('Add a filter', panel);
    await h.choose('Kind of filter', 'Person');
    await h.type('Property', 'plan');
    await panel.getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('pro');
    await h.page.keyboard.press('Enter');
    const { results } = (await (await asked).json()) as { results: { question: { params: object } }[] };
    expect(results.every(({ question: { params } }) => JSON.stringify(params).includes('plan'))).toBe(true);
    expect(new URL(h.page.url()).searchParams.get('filters')).toContain('plan');
    // Not yet for others.
    expect(await h.ask(boardPath())).toMatchObject({ filters: { date_from: null, properties: [] } });
    await h.page.reload();
    await h.press('Save for everyone');
    await until(async () => JSON.stringify(await h.ask(boardPath())).includes('"date_from":"-7d"'));
    expect(await h.ask(boardPath())).toMatchObject({
      filters: { date_from: '-7d', properties: { type: 'AND', values: [{ key: 'plan', value: ['pro'] }] } },
    });
    await until(() => !h.page.url().includes('filters='));
    await h.press('Use the range of each insight');
    await h.press('Discard');
    await h.button('Last 7 days').waitFor();
    noFaults();
  });

  it('gets an insight from the dialog that saves it', async () => {
    const board = h.page.url();
    await h.open('insights/trends');
    await h.press('Save');
    await h.fill('Name', 'All events', h.dialog);
    await h.choose('Add to a dashboard', 'Shop', h.dialog);
    await h.press('Save', h.dialog);
    await h.title('All events');
    await h.page.goto(board);
    await h.page.getByRole('region', { name: 'All events' }).waitFor();
    noFaults();
  });

  it('is shared by a link: read only, without an account, until it is revoked', async () => {
    await h.menu('More about the dashboard', 'Share by a link');
    await h.field('For whom', h.dialog).click();
    await h.page.keyboard.type('Investors');
    await h.choose('It works for', '7 days', h.dialog);
    await h.press('Create link', h.dialog);
    const link = await h.field('Link', h.dialog).inputValue();
    const { browser, page: shared, faults } = await reader(link);
    await shared.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    await shared.getByRole('region', { name: 'Orders' }).locator('canvas').waitFor();
    await shared.getByRole('region', { name: 'This week' }).waitFor();
    expect(await shared.getByRole('button', { disabled: false }).count()).toBe(0);
    expect(await shared.getByRole('separator').count()).toBe(0);
    expect(await shared.context().cookies()).toEqual([]);
    const hands = new Hands(shared, '', () => Promise.reject(new Error('a reader has no key')));
    const wrong: string[] = [];
    await inEveryForm(hands, async () => {
      await shared.reload();
      await shared.getByRole('region', { name: 'Orders' }).locator('canvas').waitFor();
      // Axe takes whatever is in a disabled fieldset for disabled; a browser focuses it.
      const isReached = (fault: string) => fault.includes('scrollable-region') && fault.includes('tabindex="0"');
      wrong.push(...(await faultsOf(hands)).filter((fault) => !fault.includes(' in ') && !isReached(fault)));
    });
    expect(wrong).toEqual([]);
    await h.see(/^Investors: works until /);
    await h.press('Revoke the link for Investors', h.dialog);
    await h.see('No link shows this dashboard.');
    await shared.reload();
    await shared.getByText('This link shows nothing any more').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await browser.close();
    await h.page.keyboard.press('Escape');
    noFaults();
  });

  it('is sent on a schedule, which shows why that failed until it is stopped', async () => {
    await h.menu('More about the dashboard', 'Send on a schedule');
    await h.see(/^No e-mail: this installation has no SMTP server/);
    await h.see('This dashboard is not sent to anyone.');
    expect(await h.dialog.getByRole('button', { name: 'Schedule' }).isDisabled()).toBe(true);
    await h.dialog.getByLabel('Send it to webhooks').click();
    await h.choose('Day', 'Every Friday', h.dialog);
    await h.choose('Hour', '07:00', h.dialog);
    await h.press('Schedule', h.dialog);
    await h.see(/^Every Friday at 07:00 to webhooks$/);
    const { results } = await h.ask<{ results: { weekday: string; hour: number }[] }>(`${boardPath()}/schedules`);
    expect(results).toMatchObject([{ weekday: 'friday', hour: 7 }]);
    await h.press('Send now: Every Friday at 07:00', h.dialog);
    await h.see('The dashboard is being sent.');
    const problem = { detail: 'ada@example.test: the mail was not taken', at: new Date().toISOString() };
    await acting.service.pool.query('UPDATE dashboard_schedules SET waiting = $1, problem = $2', [
      ['ada@example.test'],
      JSON.stringify(problem),
    ]);
    await h.page.keyboard.press('Escape');
    await h.menu('More about the dashboard', 'Send on a schedule');
    await h.see(/the mail was not taken; it is tried again/);
    expect(await faultsOf(h)).toEqual([]);
    await h.press('Stop: Every Friday at 07:00', h.dialog);
    await h.see('This dashboard is not sent to anyone.');
    await h.page.keyboard.press('Escape');
    noFaults();
  });

  it('is printed in light colours and in the width of the paper, without buttons', async () => {
    await h.page.emulateMedia({ colorScheme: 'dark' });
    await h.page.evaluate(
      'window.print = () => { window.wasPrinted = document.querySelector("main canvas").clientWidth; }',
    );
    await h.menu('More about the dashboard', 'Print or save as PDF');
    await until(async () => Number(await h.page.evaluate('window.wasPrinted')) > 0);
    const html = h.page.locator('html');
    expect(await html.getAttribute('data-mantine-color-scheme')).toBe('light');
    expect(Number(await h.page.evaluate('window.wasPrinted'))).toBeLessThan(1040);
    await h.page.emulateMedia({ media: 'print' });
    expect(await h.page.getByRole('button', { name: /^(Add|Filters|Move|Change)/ }).count()).toBe(0);
    await h.page.emulateMedia({ media: 'screen' });
    await h.page.evaluate('window.dispatchEvent(new Event("afterprint"))');
    await until(async () => (await html.getAttribute('data-mantine-color-scheme')) === 'dark');
    await h.page.emulateMedia({ colorScheme: 'light' });
    noFaults();
  });

  it('is right in every form', async () => {
    const board = h.page.url();
    const faults: string[] = [];
    await inEveryForm(h, async () => {
      await h.page.goto(board);
      await h.page.getByRole('region', { name: 'All events' }).locator('canvas').waitFor();
      faults.push(...(await faultsOf(h)).filter((fault) => !fault.includes(' in ')));
    });
    expect(faults).toEqual([]);
    noFaults();
  });
});
