import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { importLines } from '../support/import.js';
import { until } from '../support/until.js';
import { faultsOf, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

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
const tiles = async (): Promise<readonly (readonly [string, number])[]> => {
  interface Board {
    readonly tiles: readonly { readonly insight: { readonly name: string }; readonly width: number }[];
  }
  const id = Number(new URL(h.page.url()).pathname.split('/').at(-1));
  const board = await h.ask<Board>(`dashboards/${id}`);
  return board.tiles.map(({ insight, width }) => [insight.name, width]);
};
const stored = async (expected: readonly (readonly [string, number])[]): Promise<void> => {
  await until(async () => JSON.stringify(await tiles()) === JSON.stringify(expected));
};

inBrowser('a dashboard', () => {
  it('begins with the insights of a template, which take the events of the project', async () => {
    await h.open('saved');
    await h.press('New dashboard');
    await h.fill('Name', 'Shop', h.dialog);
    await h.choose('Start with', 'Online shop', h.dialog);
    await h.press('Make it', h.dialog);
    await h.title('Shop');
    await stored([
      ['From a look to an order', 12],
      ['Orders', 6],
      ['Buyers', 6],
      ['Do buyers buy again?', 12],
    ]);
    await h.page.getByRole('button', { name: '1 reached step 3: the persons' }).waitFor();
    noFaults();
  });

  it('has tiles that are dragged to another place, and moved by keys', async () => {
    const grip = (name: string) => h.page.getByRole('button', { name: new RegExp(`^Move the tile ${name}`) });
    await grip('Orders').dragTo(h.page.getByRole('region', { name: 'From a look to an order' }));
    await stored([
      ['Orders', 6],
      ['From a look to an order', 12],
      ['Buyers', 6],
      ['Do buyers buy again?', 12],
    ]);
    expect(await titles()).toEqual(['Orders', 'From a look to an order', 'Buyers', 'Do buyers buy again?']);
    await grip('Orders').focus();
    await h.page.keyboard.press('ArrowRight');
    await stored([
      ['From a look to an order', 12],
      ['Orders', 6],
      ['Buyers', 6],
      ['Do buyers buy again?', 12],
    ]);
    noFaults();
  });

  it('has tiles that are made wider by their edge, with the pointer and by keys', async () => {
    const edge = h.page.getByRole('separator', { name: 'Width of the tile Orders' });
    const whole = h.page.getByRole('region', { name: 'From a look to an order' });
    const { width = 0 } = (await whole.boundingBox()) ?? {};
    // Tiles above may still grow, so the places are looked up when nothing moves.
    await edge.dragTo(whole, { targetPosition: { x: (width * 8) / 12, y: 20 } });
    await until(async () => (await tiles())[1]?.[1] === 8);
    await edge.focus();
    await h.page.keyboard.press('ArrowLeft');
    await h.page.keyboard.press('ArrowLeft');
    await until(async () => (await tiles())[1]?.[1] === 6);
    noFaults();
  });

  it('shows a funnel of three steps in half its width without scrolling', async () => {
    await h.page.setViewportSize({ width: 1440, height: 900 });
    await h.menu('Change the tile From a look to an order', 'Half the width');
    await until(async () => (await tiles())[0]?.[1] === 6);
    const fits = `(({ scrollWidth, parentElement }) => scrollWidth <= parentElement.parentElement.clientWidth)(
      document.querySelector('main section ol'),
    )`;
    await until(() => h.page.evaluate<boolean>(fits));
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
