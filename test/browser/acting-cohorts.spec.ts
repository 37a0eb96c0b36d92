import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CohortChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { type CohortHistoryDto } from '../../src/cohorts/changes/history.dto.js';
import { importLines, personLine } from '../support/import.js';
import { hasBrowser } from '../support/browser.js';
import { faultsOf, hostileName, inEveryForm, openActing, type Acting, type ActingScene } from './acting-scene.js';
import { numberOf, numbersOf, type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
let scene: ActingScene;
let buyers: number;
let crowd: number;

const crowdSize = 60;

beforeAll(async () => {
  acting = await openActing();
  ({ hands: h, scene } = acting);
  const many = Array.from({ length: crowdSize }, (_, n) => `many${n}`);
  await importLines(
    acting.service,
    scene.projectId,
    many.map((name) => personLine(name, { name })),
  );
  crowd = (await scene.create({ name: 'Crowd', is_static: true, distinct_ids: many })).id;
  for (let n = 0; n < 40; n += 1) await scene.list(`List ${n}`);
  buyers = await scene.buyers();
}, 240_000);
afterAll(async () => acting.stop());
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const historyOf = (days: number) => h.ask<CohortHistoryDto>(`cohorts/${buyers}/history?days=${days}`);

const openTab = (query: string, cohort = buyers): Promise<void> => h.open(`cohorts/${cohort}?${query}`);

const changeRows = async (): Promise<string[][]> => {
  const table = h.table('Changes');
  await table.locator('tbody tr').first().waitFor();
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
};

inBrowser('the list of cohorts', () => {
  it('draws the course of those on the screen, and of others when they come there', async () => {
    const requested = new Set<string>();
    h.page.on('request', (request) => {
      if (request.url().includes('/history')) requested.add(request.url());
    });
    const several = h.page.waitForRequest(() => requested.size > 3);
    await h.open('cohorts');
    await several;
    await h.page.waitForTimeout(1000);
    expect(requested.size).toBeLessThan(30);
    expect([...requested].some((url) => url.includes(`/${buyers}/`))).toBe(false);
    const row = h.page.getByRole('row').filter({ hasText: 'Buyers' });
    await row.scrollIntoViewIfNeeded();
    await row.getByRole('img', { name: 'From 3 persons to 4 persons in 30 days' }).waitFor();
    noFaults();
  }, 60_000);
});

inBrowser('the history of a cohort', () => {
  it.each([
    [7, 7],
    [30, 30],
    [90, 41],
  ])('shows the numbers of %i days', async (days, known) => {
    await openTab('tab=history');
    await h.pick(`${days} days`);
    const { results } = await historyOf(days);
    expect(results).toHaveLength(known);
    await h.see(new RegExp(`in ${known} days`));
    const drawn = await numbersOf(h.table('History'));
    expect(drawn).toEqual(results.toReversed().map(({ size, entered, left }) => [size, entered, left]));
    expect(drawn.slice(0, 4)).toEqual([
      [4, 1, 1],
      [4, 0, 0],
      [4, 0, 0],
      [4, 0, 1],
    ]);
    await h.page.locator('main canvas').first().waitFor();
    noFaults();
  });

  it('says how many entered and left, and keeps the number of days in the address', async () => {
    await openTab('tab=history&days=90');
    await h.see('6 entered, 2 left, +4 in 41 days');
    await h.pick('7 days');
    await h.page.waitForURL(/days=7/);
    await h.page.reload();
    await h.see('1 entered, 2 left, -1 in 7 days');
    noFaults();
  });

  it('opens the members of a day by its size, and by its bar in the picture', async () => {
    const { results } = await historyOf(30);
    for (const back of [11, 4, 0]) {
      await openTab('tab=history');
      await h.table('History').locator('tbody tr').nth(back).getByRole('button').click();
      await h.page.getByRole('tab', { name: 'Members', selected: true }).waitFor();
      const day = results.at(-1 - back);
      await h.page
        .getByRole('status')
        .filter({ hasText: `${day?.size} persons` })
        .waitFor();
    }
    await openTab('tab=history&days=7');
    const picture = h.page.locator('main canvas').first();
    await picture.waitFor();
    await h.page.waitForTimeout(1000);
    const width = (await picture.boundingBox())?.width ?? 0;
    // The fourth of seven days: one left, so the bar hangs from the middle of the lower part.
    await picture.click({ position: { x: 52 + (3.5 / 7) * (width - 68), y: 214 + 92 * 0.75 } });
    await h.page.waitForURL((url) => url.searchParams.get('as_of') === results.at(-3)?.date);
    noFaults();
  }, 60_000);
});

inBrowser('the changes of a cohort', () => {
  it('are those of the interface, the newest first, each with its person, reason and time', async () => {
    await openTab('tab=changes');
    await h.see(hostileName);
    const rows = await changeRows();
    expect(rows.map(([person, change, why]) => [person, change, why])).toEqual([
      ['cy', 'Left', 'removed by hand'],
      ['eve', 'Entered', 'added by hand'],
      ['bob', 'Left', 'removed by hand'],
      [hostileName, 'Entered', 'added by hand'],
      ['dan', 'Entered', 'added by hand'],
      ['cy', 'Entered', 'by an upload'],
      ['bob', 'Entered', 'by an upload'],
      ['ada', 'Entered', 'by an upload'],
    ]);
    const { results } = await h.ask<CohortChangesDto>(`cohorts/${buyers}/changes?order=newest`);
    const times = await h.table('Changes').locator('time').all();
    expect(await Promise.all(times.map((time) => time.getAttribute('datetime')))).toEqual(results.map(({ at }) => at));
    noFaults();
  });

  it('are filtered, and lead to the persons', async () => {
    await openTab('tab=changes');
    await h.pick('Left');
    await h.page.waitForURL(/change=left/);
    await h.table('Changes').getByText('Entered').first().waitFor({ state: 'detached' });
    const bob = h.table('Changes').getByRole('link', { name: 'bob' });
    await bob.waitFor();
    expect((await changeRows()).map(([person]) => person)).toEqual(['cy', 'bob']);
    await bob.click();
    await h.title('bob');
    await openTab('tab=changes&change=entered');
    await h.table('Changes').getByRole('link', { name: 'eve' }).focus();
    await h.page.keyboard.press('Enter');
    await h.title('eve');
    noFaults();
  });

  it('go on to the first one', async () => {
    await openTab('tab=changes', crowd);
    await expect(changeRows()).resolves.toHaveLength(50);
    await h.press('Show more');
    await h.button('Show more').waitFor({ state: 'detached' });
    const names = (await changeRows()).map(([person = '']) => person);
    expect(new Set(names).size).toBe(crowdSize);
    noFaults();
  });

  it('follow what happens, and name a person that was deleted by its id', async () => {
    await openTab('tab=changes');
    await h.see('Connected');
    await h.table('Changes').getByRole('link', { name: 'dan' }).waitFor();
    const dan = await scene.make(['gone'], { name: 'gone' });
    await scene.add(buyers, 'gone');
    await scene.call('DELETE', `persons/${dan.id}`);
    await h.see(`Person ${dan.id}, deleted since`);
    expect((await changeRows()).slice(0, 2).map(([, change, why]) => [change, why])).toEqual([
      ['Left', 'the person was deleted'],
      ['Entered', 'added by hand'],
    ]);
    noFaults();
  });

  it('wait while they are paused, and then show what was missed', async () => {
    await openTab('tab=changes');
    await h.see('Connected');
    const before = (await changeRows()).length;
    await h.press('Pause following the changes');
    await h.see('Paused');
    await scene.remove(buyers, 'dan');
    await h.page.waitForTimeout(2000);
    expect(await changeRows()).toHaveLength(before);
    await h.press('Resume following the changes');
    await h.see('Connected');
    const newest = h.table('Changes').locator('tbody tr').first();
    await newest.filter({ hasText: /dan.*Left.*removed by hand/s }).waitFor();
    await scene.add(buyers, 'dan');
    await newest.filter({ hasText: /dan.*Entered.*added by hand/s }).waitFor();
    expect(await changeRows()).toHaveLength(before + 2);
    const { count } = await h.ask<{ count: number }>(`cohorts/${buyers}`);
    await h.see(new RegExp(`^${count} persons`));
    noFaults();
  });
});

inBrowser('the members at an earlier moment', () => {
  const names = (): Promise<string[]> =>
    h.page
      .getByRole('grid')
      .locator('[data-link] a')
      .allInnerTexts()
      .then((texts) => texts.sort());

  it('are listed for the typed moment, which the address keeps, until Now is pressed', async () => {
    const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    await openTab('tab=members');
    await h.page.getByRole('grid').waitFor();
    const field = h.page.getByLabel('As of (UTC)', { exact: true });
    const time = h.page.getByLabel('As of (UTC), time');
    await field.click();
    await h.page.keyboard.type(day);
    await h.page.keyboard.press('Enter');
    await h.page.waitForURL((url) => url.searchParams.get('as_of') === `${day}T00:00`);
    await time.fill('12:00');
    await h.page.waitForURL((url) => url.searchParams.get('as_of') === `${day}T12:00`);
    await h.page.getByRole('status').filter({ hasText: '5 persons' }).waitFor();
    expect(await names()).toEqual([hostileName, 'ada', 'bob', 'cy', 'dan']);
    await h.page.reload();
    await h.page.getByRole('status').filter({ hasText: '5 persons' }).waitFor();
    expect(await time.inputValue()).toBe('12:00');
    expect(await h.download(() => h.page.getByRole('link', { name: 'CSV' }).click())).toBe('persons.csv');
    await h.press('Now');
    await h.page.getByRole('status').filter({ hasText: '4 persons' }).waitFor();
    expect(await names()).toEqual([hostileName, 'ada', 'dan', 'eve']);
    expect(await field.inputValue()).toBe('');
    noFaults();
  });

  it('say why a moment has none', async () => {
    await openTab('tab=members&as_of=2099-01-01');
    await h.see('Time must not lie in the future');
    await openTab('tab=members&as_of=2001-01-01');
    await h.see('The cohort had no members then');
  });
});

inBrowser('the pages of a cohort', () => {
  it('are accessible in both schemes, fit a phone, and run no text', async () => {
    const found: string[] = [];
    await inEveryForm(h, async () => {
      for (const path of [
        'cohorts',
        ...['history', 'changes', 'members&as_of=2001-01-01'].map((tab) => `cohorts/${buyers}?tab=${tab}`),
      ]) {
        await h.open(path);
        await h.page.waitForTimeout(600);
        found.push(...(await faultsOf(h)));
      }
    });
    expect(found).toEqual([]);
    noFaults();
  }, 120_000);

  it('count nothing wrong: the number of the title is that of the newest day', async () => {
    const { results } = await historyOf(7);
    await openTab('tab=history');
    expect(
      numberOf(
        await h.page
          .locator('main')
          .getByText(/^\d+ persons$/)
          .first()
          .innerText(),
      ),
    ).toBe(results.at(-1)?.size);
  });
});
