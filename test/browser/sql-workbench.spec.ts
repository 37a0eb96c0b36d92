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
  const { service, scene } = acting;
  await importLines(
    service,
    scene.projectId,
    ['2026-01-05', '2026-01-05', '2026-01-12'].map((day, at) => ({
      type: 'event',
      event: 'order paid',
      distinct_id: ['ada', 'bob'][at % 2],
      timestamp: `${day}T10:00:00Z`,
      properties: { method: at === 2 ? 'card' : 'invoice' },
    })),
  );
}, 120_000);
afterAll(async () => acting.stop());

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);
const editor = () => h.page.getByRole('textbox', { name: 'The question in SQL' });
const written = async () => (await editor().innerText()).trim();
const names = () => h.page.getByRole('group', { name: 'Tables, columns and functions' });
const tabs = () => h.page.getByRole('group', { name: 'Questions', exact: true });
const cells = async () => h.page.getByRole('region', { name: 'The answer' }).getByRole('cell').allInnerTexts();

const write = async (text: string): Promise<void> => {
  await editor().click();
  await h.page.keyboard.press('Control+a');
  await h.page.keyboard.insertText(text);
};

const run = async (): Promise<void> => {
  const answered = h.page.waitForResponse((response) => response.url().endsWith('/query'));
  await h.page.keyboard.press('Control+Enter');
  await (await answered).finished();
};

inBrowser('a statement', () => {
  it('is formatted by its button and by keys, which undo takes back; one with a mistake stays as it is', async () => {
    await h.open('sql');
    const text = 'select properties.$os o, count() from events where event = {name} and {filters} group by o';
    const lines = ['select', '  properties.$os o,', '  count()', 'from', '  events', 'where'];
    await write(text);
    await h.press('Format');
    await h.page.locator('.cm-line').nth(8).waitFor();
    expect((await written()).split('\n').slice(0, 6)).toEqual(lines);
    await h.page.keyboard.press('Control+z');
    expect(await written()).toBe(text);
    await h.page.keyboard.press('Shift+Alt+F');
    await h.page.locator('.cm-line').nth(8).waitFor();
    await write('select (((');
    await h.press('Format');
    await h.see(/The question cannot be formatted/);
    expect(await written()).toBe('select (((');
    noFaults();
  });
});

inBrowser('the names beside the editor', () => {
  it('are found by a part of them, and written where the caret is by a click and by Enter', async () => {
    await h.open('sql');
    await write('select ');
    await h.page.getByRole('searchbox', { name: 'Search tables, columns and functions' }).click();
    await h.page.keyboard.type('uniqEx');
    await names()
      .getByRole('button', { name: /^uniqExact aggregate/ })
      .click();
    await editor().and(h.page.locator(':focus')).waitFor();
    await h.page.keyboard.type('person_id) from');
    await h.page.keyboard.press('Escape');
    await h.page.getByRole('searchbox', { name: 'Search tables, columns and functions' }).fill('');
    await h.button('Insert events', names()).focus();
    await h.page.keyboard.press('Enter');
    expect(await written()).toBe('select uniqExact(person_id) from events');
    await run();
    await h.see(/1 row · /);
    expect(await cells()).toEqual(['2']);
    noFaults();
  });

  it('open and close by the arrow keys', async () => {
    await h.open('sql');
    const persons = names().getByRole('button', { name: 'persons', exact: true });
    await persons.focus();
    await h.page.keyboard.press('ArrowRight');
    await names()
      .getByRole('button', { name: /^is_identified/ })
      .waitFor();
    await h.page.keyboard.press('ArrowDown');
    await names()
      .getByRole('button', { name: /^id number/ })
      .nth(0)
      .waitFor();
    await h.page.keyboard.press('ArrowUp');
    await persons.and(h.page.locator(':focus')).waitFor();
    await h.page.keyboard.press('ArrowLeft');
    await names()
      .getByRole('button', { name: /^is_identified/ })
      .waitFor({ state: 'detached' });
    noFaults();
  });
});

inBrowser('the drafts of questions', () => {
  it('have tabs, which outlast the page, and answers that outlast another tab', async () => {
    await h.open('sql');
    await h.press('New question');
    await write("select 'first' as a");
    await run();
    await h.see('first');
    await h.press('New question');
    await write("select 'second' as b");
    await run();
    await h.page.getByRole('cell', { name: 'second' }).waitFor();
    await tabs().getByRole('button', { name: 'Question 2', exact: true }).click();
    await h.page.getByRole('cell', { name: 'first' }).waitFor();
    expect(new URL(h.page.url()).searchParams.get('q')).toBe("select 'first' as a");
    await h.open('sql');
    await tabs().getByRole('button', { name: 'Question 3', exact: true }).click();
    expect(await written()).toContain("select 'second' as b");
    await h.press('Close Question 3');
    expect(
      await tabs()
        .getByRole('button', { name: /^Question \d/ })
        .allInnerTexts(),
    ).toEqual(['Question 1', 'Question 2']);
    noFaults();
  });

  it('are found again in the history, which is cleared by a button', async () => {
    await h.open('sql');
    await h.pick('History');
    const asked = h.page.getByRole('group', { name: 'Questions asked before' }).getByRole('button');
    await asked.filter({ hasText: "select 'second' as b" }).click();
    expect(await written()).toContain("select 'second' as b");
    expect(
      await tabs()
        .getByRole('button', { name: /^Question \d/ })
        .count(),
    ).toBe(3);
    await h.press('Clear');
    await h.see('Questions you ask appear here.');
    noFaults();
  });
});

inBrowser('a question with variables', () => {
  const text =
    'select toStartOfWeek(timestamp) as week, properties.method as method, count() as n from events where event = {event} group by week, method order by week, method';

  it('has a field for each, is saved with their values, and opened again with them', async () => {
    await h.open('sql');
    await h.press('New question');
    await write(text);
    const field = h.page.getByRole('textbox', { name: 'event', exact: true });
    await field.click();
    await h.page.keyboard.type('order paid');
    const answered = h.page.waitForResponse((response) => response.url().endsWith('/query'));
    await h.page.keyboard.press('Enter');
    await (await answered).finished();
    await h.see(/2 rows · /);
    expect(await cells()).toEqual(['2026-01-04', 'invoice', '2', '2026-01-11', 'card', '1']);
    await h.press('Save');
    await h.fill('Name', 'Orders by week', h.dialog);
    await h.press('Save', h.dialog);
    await h.title('Orders by week');
    await h.press('Close Orders by week');
    await h.pick('Saved');
    await h.button(/^Orders by week/).click();
    await h.title('Orders by week');
    expect(await field.inputValue()).toBe('order paid');
    await h.button('Saved').and(h.page.locator(':disabled')).waitFor();
    await field.click();
    await h.page.keyboard.press('End');
    await h.page.keyboard.type('!');
    await h.button('Save changes').waitFor();
    noFaults();
  });

  it('is drawn, and what it would read is shown', async () => {
    await h.open('saved?shown=insights');
    await h.page.getByRole('link', { name: 'Orders by week' }).click();
    await h.see(/2 rows · /);
    await h.pick('Chart');
    await h.page.getByRole('img', { name: /^Lines of invoice, card/ }).waitFor();
    await h.choose('Breakdown', 'Nothing');
    await h.page.getByRole('img', { name: /^Lines of n/ }).waitFor();
    await h.pick('Explain');
    await h.page.getByRole('img', { name: /^Rows: \d+ of \d+/ }).waitFor();
    await h.pick('Table');
    noFaults();
  });
});

inBrowser('the workbench', () => {
  it('is right in every form', async () => {
    const faults: string[] = [];
    const link = `sql?q=${encodeURIComponent('select event, count() as n from events where event = {event} group by event')}`;
    await inEveryForm(h, async () => {
      await h.open(`${link}&values=${encodeURIComponent('{"event":"order paid"}')}`);
      await h.see(/1 row · /);
      for (const view of ['Chart', 'Explain', 'Table']) {
        await h.pick(view);
        await h.page.waitForTimeout(400);
        faults.push(...(await faultsOf(h)));
      }
    });
    expect(faults).toEqual([]);
    noFaults();
  });
});
