import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonMergeDto } from '../../src/persons/undo/person-undo.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { signedIn } from '../support/signed-in.js';
import { hasBrowser } from '../support/browser.js';
import {
  faultsOf,
  hostileName,
  inEveryForm,
  openActing,
  signIn,
  type Acting,
  type ActingScene,
} from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
let scene: ActingScene;
let ann: PersonDto;
let phone: PersonDto;
let members: number;

beforeAll(async () => {
  acting = await openActing();
  ({ hands: h, scene } = acting);
  ann = await scene.make(['ann', 'ann-2'], { name: 'Ann', plan: 'pro' });
  phone = await scene.make(['phone', 'phone-2'], { name: hostileName, plan: 'free' });
  members = (await scene.create({ name: 'Members', is_static: true, distinct_ids: ['ann'] })).id;
  await scene.days(members, 30);
}, 120_000);
afterAll(async () => acting.stop());
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const openMerges = (): Promise<void> => h.open(`persons/${ann.uuid}?tab=merges`);

const mergePhone = async (): Promise<void> => {
  const { status } = await scene.call('POST', `persons/${ann.id}/merge`, { body: { distinct_ids: ['phone'] } });
  expect(status).toBe(200);
};

const mergesOf = async (): Promise<readonly PersonMergeDto[]> =>
  (await h.ask<{ results: PersonMergeDto[] }>(`persons/${ann.id}/merges`)).results;

const idsOf = async ({ id }: PersonDto): Promise<string[]> => [...(await scene.get(id)).distinct_ids].sort();

const undo = () => h.button(`Undo the merge of person ${phone.id}`);

inBrowser('the merges of a person', () => {
  it('are none before the first', async () => {
    await openMerges();
    await h.see('No merges in the last 90 days');
    noFaults();
  });

  it('are listed, and the page of the merged person says where they are', async () => {
    await mergePhone();
    await openMerges();
    await h.see(`Merged from person ${phone.id}, by hand`);
    await h.see('phone, phone-2');
    await h.open(`persons/${phone.uuid}`);
    await h.see('This person was merged into another one');
    await h.see('Its tab “Merges” lists the merge, which can be undone for 90 days.');
    await h.page.getByRole('link', { name: 'Open the person that has its ids and events now' }).click();
    await h.title('Ann');
  });

  it('are undone after a question that says what happens', async () => {
    await openMerges();
    acting.visitor.faults.length = 0;
    await undo().click();
    await h.dialog.getByText(`Person ${phone.id} comes back with its id and UUID, 2 distinct ids`).waitFor();
    await h.press('Cancel', h.dialog);
    expect(await idsOf(ann)).toHaveLength(4);
    await undo().click();
    await h.press('Undo the merge', h.dialog);
    await h.see(`The merge is undone: ${hostileName} is a person of its own again.`);
    await h.see(/^Undone /);
    expect([await idsOf(ann), await idsOf(phone)]).toEqual([
      ['ann', 'ann-2'],
      ['phone', 'phone-2'],
    ]);
    await h.page.getByRole('link', { name: `person ${phone.id}` }).click();
    await h.title(hostileName);
    noFaults();
  });

  it('say why one cannot be undone: at once in the list, and in the dialog what happened meanwhile', async () => {
    await mergePhone();
    await openMerges();
    await undo().first().click();
    const { status } = await scene.call('POST', `persons/${ann.id}/split`, {
      body: { distinct_ids_to_split: ['phone-2'] },
    });
    expect(status).toBe(200);
    await h.press('Undo the merge', h.dialog);
    await h.dialog
      .getByRole('alert')
      .getByText(/was split off since/)
      .waitFor();
    expect(acting.visitor.faults.splice(0)).toEqual([expect.stringContaining(' 409 POST ')]);
    await h.press('Cancel', h.dialog);
    await h.page.reload();
    await h.see(/^Cannot be undone: a distinct id .* was split off since/);
    expect(await undo().first().isDisabled()).toBe(true);
    noFaults();
  });
});

inBrowser('the last split of a person', () => {
  it('is undone after a question, and once only', async () => {
    expect(await idsOf(ann)).toEqual(['ann', 'ann-2', 'phone']);
    await h.open(`persons/${ann.uuid}`);
    const open = () => h.menu('Change', 'Undo the last split …');
    await open();
    await h.dialog.getByText(/The persons that the last split of Ann made/).waitFor();
    await h.press('Undo the split', h.dialog);
    await h.see('The split is undone: 1 person is part of this one again.');
    expect(await idsOf(ann)).toEqual(['ann', 'ann-2', 'phone', 'phone-2']);
    noFaults();
    await open();
    await h.press('Undo the split', h.dialog);
    await h.dialog
      .getByRole('alert')
      .getByText(/has no split of the last 90 days/)
      .waitFor();
    expect(acting.visitor.faults.splice(0)).toEqual([expect.stringContaining(' 404 POST ')]);
    await h.press('Cancel', h.dialog);
    await open();
    await h.dialog.getByText(/The persons that the last split/).waitFor();
    expect(await h.dialog.getByRole('alert').isVisible()).toBe(false);
  });
});

inBrowser('the page of merges', () => {
  it('is accessible in both schemes, fits a phone, and runs no text', async () => {
    const [{ can_undo: canUndo } = { can_undo: false }] = await mergesOf();
    expect(canUndo).toBe(true);
    const found: string[] = [];
    await inEveryForm(h, async () => {
      await openMerges();
      await undo().waitFor();
      found.push(...(await faultsOf(h)));
      await undo().click();
      found.push(...(await faultsOf(h)));
    });
    expect(found).toEqual([]);
    noFaults();
  }, 60_000);

  it('offers no undo to who may only read', async () => {
    const { service, visitor } = acting;
    await signIn(visitor, service, await signedIn(service, { roles: { [scene.projectId]: 'viewer' } }));
    await openMerges();
    await h.see(`Merged from person ${phone.id}, by hand`);
    expect([await undo().isVisible(), await h.button('Change').isVisible()]).toEqual([false, false]);
    noFaults();
  });
});

inBrowser('a question about the cohorts of the time of an event', () => {
  it('is sent as it was written elsewhere', async () => {
    const member = { type: 'cohort', key: 'id', value: 1, at: 'event' };
    const requested = {
      events: [{ id: 'seen', properties: { type: 'AND', values: [member] } }],
      properties: [member],
      breakdowns: [{ type: 'cohort', property: [1, 'all'], at: 'event' }],
    };
    const sent = h.page.waitForRequest((request) => request.url().includes('/persons/trends?'));
    const query = Object.entries(requested).map(([name, value]) => [name, JSON.stringify(value)]);
    await h.open(`insights/trends?${new URLSearchParams(query as [string, string][]).toString()}`);
    const { searchParams } = new URL((await sent).url());
    const read = (name: string) => JSON.parse(searchParams.get(name) ?? 'null') as unknown;
    expect(read('events')).toMatchObject([{ id: 'seen', properties: { values: [member] } }]);
    expect(read('properties')).toMatchObject({ values: [member] });
    expect(read('breakdowns')).toEqual(requested.breakdowns);
    await h.page.waitForTimeout(500);
    expect(decodeURIComponent(h.page.url())).toContain(JSON.stringify([member]));
  });

  it('is written in trends: in the filter, in that of a series and in the breakdown', async () => {
    await h.open('insights/trends');
    const at = { type: 'cohort', value: members, at: 'event' };
    const time = 'When the person is in the cohort';
    const filters = h.page.getByRole('group', { name: 'Filters' });
    const series = h.page.getByRole('group', { name: 'Series' });
    const sent = (name: string) =>
      h.page.waitForRequest((request) => {
        const { pathname, searchParams } = new URL(request.url());
        return pathname.endsWith('/persons/trends') && (searchParams.get(name) ?? '').includes('"at":"event"');
      });
    const read = async (name: string, change: () => Promise<void>): Promise<unknown> => {
      const request = sent(name);
      await change();
      return JSON.parse(new URL((await request).url()).searchParams.get(name) ?? 'null') as unknown;
    };
    const condition = async (part: typeof filters): Promise<void> => {
      await h.press('Add a filter', part);
      await h.choose('Kind of filter', 'Cohort', part);
      await h.find('Cohort', 'Members', part);
      await h.choose(time, 'at the event’s time', part);
    };
    expect(await read('properties', () => condition(filters))).toMatchObject({ values: [at] });
    await h.press(/^Series A: filters/, series);
    expect(await read('events', () => condition(series))).toMatchObject([{ properties: { values: [at] } }]);
    const split = async (): Promise<void> => {
      await h.press('Break down by');
      await h.choose('Breakdown 1: source', 'Cohorts');
      await h.choose('Breakdown 1: when the person is in the cohort', 'at the event’s time');
    };
    expect(await read('breakdowns', split)).toEqual([{ type: 'cohort', property: ['all'], at: 'event' }]);
    await h.answer.getByText(/as of/).waitFor();
    await h.choose(time, 'now', filters);
    await h.page.waitForURL((url) => !(url.searchParams.get('properties') ?? '').includes('"at"'));
    noFaults();
  });

  it('is not offered where only membership of now is known, but can be taken back there', async () => {
    const time = h.page.getByRole('combobox', { name: 'When the person is in the cohort' });
    await h.open('insights/stickiness');
    const filters = h.page.getByRole('group', { name: 'Filters' });
    await h.press('Add a filter', filters);
    await h.choose('Kind of filter', 'Cohort', filters);
    await h.page.getByRole('combobox', { name: 'Cohort', exact: true }).waitFor();
    expect(await time.count()).toBe(0);
    noFaults();
    const member = { type: 'cohort', value: members, at: 'event' };
    await h.open(`insights/stickiness?properties=${encodeURIComponent(JSON.stringify([member]))}`);
    await h.answer.getByRole('alert').waitFor();
    expect(acting.visitor.faults.splice(0).every((fault) => fault.includes('400'))).toBe(true);
    await h.choose('When the person is in the cohort', 'now', filters);
    await h.answer.getByText(/as of/).waitFor();
    noFaults();
  });
});
