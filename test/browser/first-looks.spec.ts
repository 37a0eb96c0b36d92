import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { importLines } from '../support/import.js';
import { hasBrowser } from '../support/browser.js';
import { openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const day = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();

let acting: Acting;
let h: Hands;
let ann: PersonDto;
beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  const { service, scene } = acting;
  const event = (name: string, distinctId: string, days: number) => ({
    ...{ type: 'event', event: name, distinct_id: distinctId, timestamp: daysAgo(days) },
  });
  ann = await scene.make(['ann', 'ann-2'], { name: 'Ann' });
  await importLines(service, scene.projectId, [
    ...[event('opened', 'ada', 2), event('opened', 'ada', 1), event('opened', 'ada', 0)],
    ...[event('opened', 'bob', 2), event('closed', 'bob', 400)],
  ]);
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const date = inUtc({ year: 'numeric', month: 'short', day: '2-digit' });

inBrowser('the live page', () => {
  it('has the date of an event that is not of today, and the full time of each', async () => {
    await h.open('live');
    const lines = h.table('Events, the newest first').getByRole('row');
    await lines.nth(5).waitFor();
    const heads = await lines.first().getByRole('columnheader').allInnerTexts();
    expect(heads.slice(1)).toEqual(['Time', 'Event', 'Distinct id', 'Where']);
    const times = await Promise.all(
      [1, 5].map(async (at) => {
        const cell = lines.nth(at).getByRole('cell').nth(1);
        return [await cell.innerText(), await cell.getAttribute('title')];
      }),
    );
    const [today, old] = [date.format(new Date()), date.format(new Date(daysAgo(400)))];
    expect(times).toEqual([
      [expect.stringMatching(/^\d\d:\d\d:\d\d$/), expect.stringMatching(`^${today}, \\d\\d:\\d\\d:\\d\\d \\(UTC\\)$`)],
      [expect.stringMatching(`^${old}, \\d\\d:\\d\\d:\\d\\d$`), expect.stringMatching(`^${old}, .* \\(UTC\\)$`)],
    ]);
    await h.see('Events as they arrive, counted by their own time');
    noFaults();
  });
});

inBrowser('the SQL page', () => {
  it('gives an error a title for people', async () => {
    await h.open(`sql?q=${encodeURIComponent('select nothing_such from events')}`);
    const alert = h.page.getByRole('alert');
    await alert.getByText('This question cannot be answered', { exact: true }).waitFor();
    expect(await alert.getByText('query', { exact: true }).count()).toBe(0);
    expect(acting.visitor.faults.splice(0)).toEqual([expect.stringContaining(' 400 POST ')]);
  });
});

inBrowser('the page of a person', () => {
  const lines = async (): Promise<readonly string[]> => h.page.getByRole('menuitem').allInnerTexts();

  it('offers the undo of a split only after one', async () => {
    const { scene } = acting;
    await h.open(`persons/${ann.uuid}`);
    await h.press('Change');
    const none = h.page.getByRole('menuitem', { name: 'Undo a split (none in the last 90 days)' });
    await none.waitFor();
    expect(await none.isDisabled()).toBe(true);
    const { status } = await scene.call('POST', `persons/${ann.id}/split`, {
      body: { distinct_ids_to_split: ['ann-2'] },
    });
    expect(status).toBe(200);
    await h.open(`persons/${ann.uuid}`);
    const known = h.page.waitForResponse((response) => response.url().includes('/activity?'));
    await h.press('Change');
    await (await known).finished();
    await h.page.waitForTimeout(200);
    expect(await lines()).toContain('Undo the last split …');
    noFaults();
  });

  it('says what "Anonymous" means, and counts what a deletion frees', async () => {
    await h.open(`persons/${ann.uuid}`);
    await h.page.getByTitle('No SDK has said who this is').waitFor();
    await h.menu('Change', 'Delete …');
    await h.dialog.getByText('Its distinct id becomes free: a later event with it creates a new person.').waitFor();
    await h.press('Cancel', h.dialog);
    noFaults();
  });
});

inBrowser('the picture of trends', () => {
  it('has the annotations of its range, for screen readers too', async () => {
    const { scene } = acting;
    const body = { content: 'Release 2.0', date_marker: daysAgo(1) };
    expect((await scene.call('POST', 'annotations', { body })).status).toBe(201);
    await h.open('insights/trends');
    await h.page
      .getByRole('img', { name: /The table below has the numbers\. Annotations: [^:]+: Release 2\.0\.$/ })
      .waitFor();
    await h.open('insights/trends?display=ActionsBarValue');
    await h.page.getByRole('img', { name: /The table below has the numbers\.$/ }).waitFor();
    noFaults();
  });
});

inBrowser('the settings', () => {
  it('begin with their first section', async () => {
    await h.open('settings');
    await h.see('Name, calendar');
    expect(new URL(h.page.url()).pathname).toMatch(/\/settings\/project$/);
    noFaults();
  });
});

inBrowser('the mean of retention', () => {
  it('ends where the curve does, with the last interval that is over', async () => {
    const entity = encodeURIComponent('{"type":"events","id":"opened"}');
    await h.open(`insights/retention?total_intervals=3&target_entity=${entity}&returning_entity=${entity}`);
    const rows = h.table('Retention').getByRole('row');
    await rows.nth(4).waitFor();
    const shown = await Promise.all([1, 2, 3, 4].map((at) => rows.nth(at).getByRole('cell').allInnerTexts()));
    expect(shown).toEqual([
      ['', '100%', '75%', '–'],
      ['2', '100%', '50%', '50%'],
      ['1', '100%', '100%'],
      ['1', '100%'],
    ]);
    noFaults();
  });
});

inBrowser('the catalogue', () => {
  it('has its count in the size of the labels', async () => {
    await h.open('catalogue');
    const size = (text: string | RegExp): Promise<string> =>
      h.page
        .getByText(text)
        .first()
        .evaluate((element) => (globalThis as unknown as Styled).getComputedStyle(element).fontSize);
    expect(await size(/^\d+ names?$/)).toBe(await size('Event properties'));
    noFaults();
  });
});

interface Styled {
  getComputedStyle(element: unknown): { readonly fontSize: string };
}
