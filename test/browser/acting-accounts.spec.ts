import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { addAccounts } from './accounts-scene.js';
import { faultsOf, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;

const company = ['company', 'companies'] as const;

beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
}, 240_000);
afterAll(async () => acting.stop());
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const asked = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&');

const opened = { id: 'report opened' };
const paid = { id: 'paid' };
const ofCompanies = { aggregation_group_type_index: 0, date_from: '-6d' };

const namesInDialog = async (): Promise<string[]> => {
  const names = h.dialog.locator('[data-link] a');
  await names.first().waitFor();
  return (await names.allInnerTexts()).sort();
};

const filters = () => h.page.getByRole('group', { name: 'Filters' });

inBrowser('a project without accounts', () => {
  it('has no choice of whom a question counts', async () => {
    await h.open('insights/trends');
    await h.page.getByRole('combobox', { name: 'Series A: event' }).waitFor();
    await h.press('Add a filter', filters());
    await h.page.getByRole('combobox', { name: 'Kind of filter' }).click();
    const kinds = h.page.getByRole('listbox', { name: 'Kind of filter' }).getByRole('option');
    expect(await kinds.allInnerTexts()).toEqual(['Event', 'Person', 'Cohort']);
    expect(await h.page.getByText('Who is counted').count()).toBe(0);
    noFaults();
  });
});

inBrowser('a question about accounts', () => {
  beforeAll(() => addAccounts(acting.service, acting.scene));

  it('counts companies, lists them behind the number with their pages, and is saved with its choice', async () => {
    await h.open('insights/trends');
    await h.choose('Who is counted', 'Companies');
    await h.see('How often events happen, and how many companies do them.');
    await h.type('Series A: event', 'report opened');
    await h.answered('persons/trends', 'dau', () => h.type('Series A: what is counted', 'Unique companies'));
    await h.page.waitForURL(
      ({ search }) => search.includes('dau') && search.includes('aggregation_group_type_index=0'),
    );
    // Four days with one company each, and three companies in all.
    const total = h.table('Trends').getByRole('button', { name: '4: the companies of report opened' });
    await total.click();
    await h.see('4 is the sum of the points, which counts each company once for each point');
    await h.dialog.getByRole('status').filter({ hasText: '3 companies' }).waitFor();
    expect(await namesInDialog()).toEqual(['Acme Works', 'Birch', 'cedar']);
    expect(await h.download(() => h.page.getByRole('link', { name: 'Export CSV' }).click())).toBe('groups.csv');
    await h.press('Save as cohort');
    const saving = h.page.getByRole('dialog', { name: 'Save as a static cohort' });
    await saving.getByText('The cohort keeps the 3 companies in the list now').waitFor();
    await h.field('Name', saving).click();
    await h.page.keyboard.press('ControlOrMeta+a');
    await h.page.keyboard.type('Readers');
    await h.page.keyboard.press('Enter');
    await saving.getByText('“Readers” is made of 3 companies.').waitFor();
    await h.press('Done', saving);
    const readers = await h.ask<{ results: { name: string; count: number; actor: string }[] }>(
      'cohorts?search=Readers',
    );
    expect(readers.results).toMatchObject([{ name: 'Readers', count: 3, actor: 'group' }]);
    await h.press('Close the companies');

    await h.press('Save');
    await h.field('Name', h.dialog).click();
    await h.page.keyboard.type('Active companies');
    await h.page.keyboard.press('Enter');
    await h.title('Active companies');
    await h.page.reload();
    await h.title('Active companies');
    await h.page.getByRole('combobox', { name: 'Who is counted' }).and(h.page.locator('[value="Companies"]')).waitFor();
    const { results } = await h.ask<{ results: { question: { params: object } }[] }>('insights');
    expect(results[0]?.question.params).toMatchObject({ aggregation_group_type_index: 0 });

    await total.click();
    await h.dialog.getByRole('link', { name: 'Acme Works' }).click();
    await h.title('Acme Works');
    await h.see(/^Company acme/);
    noFaults();
  });

  it('filters by a property of the company, whose names and values are suggested, and by its key', async () => {
    await h.open(`insights/trends?${asked({ events: [{ ...opened, math: 'dau' }], display: 'BoldNumber' })}`);
    await h.button('4 report opened: its persons').waitFor();
    await h.press('Add a filter', filters());
    await h.choose('Kind of filter', 'Company', filters());
    await h.type('Property', 'plan', filters());
    await filters().getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('fr');
    await h.page.getByRole('option', { name: 'free', exact: true }).click();
    await h.button('1 report opened: its persons').waitFor();
    await h.type('Property', 'Key', filters());
    await filters().getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('ac');
    await h.page.getByRole('option', { name: 'acme', exact: true }).click();
    await h.button('2 report opened: its persons').click();
    expect(await namesInDialog()).toEqual(['ada', 'bob']);
    noFaults();
  });

  it('breaks down by a property of the company', async () => {
    await h.open(`insights/trends?${asked({ events: [{ ...opened, math: 'dau' }] })}`);
    await h.press('Break down by');
    await h.choose('Breakdown 1: source', 'Company');
    await h.type('Breakdown 1: property', 'plan');
    const rows = h.table('Trends').getByRole('rowheader');
    await rows.filter({ hasText: 'free' }).waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.trim()).sort()).toEqual([
      'None (i.e. no value)',
      'free',
      'pro',
    ]);
    await h.opensPersons(h.table('Trends').getByRole('row', { name: 'pro' }).getByRole('button').nth(1));
    noFaults();
  });

  it('breaks down by cohorts, of which a funnel offers those of whom it counts', async () => {
    for (const body of [
      { name: 'Fans', is_static: true, distinct_ids: ['ada'] },
      { name: 'Customers', is_static: true, actor: 'group', group_type_index: 0, group_keys: ['acme'] },
    ])
      await acting.scene.call('POST', 'cohorts', { body: body, query: { wait: 30 } });
    const offered = async (kind: string, question: object) => {
      await h.open(`insights/${kind}?${asked({ ...ofCompanies, ...question })}`);
      await h.press('Break down by');
      await h.choose('Breakdown 1: source', 'Cohorts');
      await h.page.getByRole('combobox', { name: 'Breakdown 1: cohorts' }).click();
      const options = h.page.getByRole('listbox', { name: 'Breakdown 1: cohorts' }).getByRole('option');
      await options.filter({ hasText: 'Customers' }).click();
      return (await options.allInnerTexts()).filter((name) => ['Fans', 'Customers'].includes(name));
    };
    expect(await offered('trends', { events: [{ ...opened, math: 'dau' }] })).toEqual(['Customers', 'Fans']);
    await h.table('Trends').getByRole('rowheader').filter({ hasText: 'Customers' }).waitFor();
    expect(await offered('funnel', { events: [opened, paid] })).toEqual(['Customers']);
    await h.page
      .getByRole('button', { name: /1 reached step 2: the companies/ })
      .first()
      .waitFor();
    noFaults();
  });

  it('counts the companies of one series beside the persons of another', async () => {
    await h.open(`insights/trends?${asked({ events: [{ ...opened, math: 'dau' }], display: 'BoldNumber' })}`);
    await h.press('Series A: duplicate');
    await h.type('Series B: what is counted', 'Unique companies');
    await h.button('3 B report opened, unique companies: its companies').click();
    await h.dialog.getByRole('status').filter({ hasText: '3 companies' }).waitFor();
    expect(await namesInDialog()).toEqual(['Acme Works', 'Birch', 'cedar']);
    await h.press('Close the companies');
    await h.button('4 A report opened, unique persons: its persons').click();
    await h.dialog.getByRole('status').filter({ hasText: '4 persons' }).waitFor();
    noFaults();
  });

  const steps = { events: [opened, paid] };
  it.each([
    ['funnel', steps, 'Steps of the funnel'],
    ['retention', { target_entity: opened, returning_entity: paid }, 'Retention'],
    ['paths', {}, 'Edges of the paths'],
    ['correlation', { ...steps, funnel_correlation_type: 'properties', funnel_correlation_names: ['$all'] }, null],
    ['lifecycle', { events: [opened] }, 'Lifecycle'],
    ['stickiness', { events: [opened] }, 'Stickiness'],
  ])('counts companies in %s, and each number opens as many', async (kind, question, table) => {
    await h.open(`insights/${kind}?${asked({ ...ofCompanies, ...question })}`);
    await h.see(/companies/);
    await h.page.getByRole('combobox', { name: 'Who is counted' }).and(h.page.locator('[value="Companies"]')).waitFor();
    const numbers =
      table === null ? h.answer.getByRole('button', { name: /convert/ }) : h.table(table).getByRole('button');
    await numbers.first().waitFor();
    for (const number of (await numbers.all()).slice(0, 4))
      if (await number.isEnabled()) {
        const cell = /^[\d,]+ compan/.exec((await number.getAttribute('title')) ?? '')?.[0];
        await h.opensPersons(number, cell === undefined ? undefined : parseInt(cell), [...company]);
      }
    expect(
      (await h.page.locator('main').innerText()).match(/\bpersons?\b/gi)?.filter((word) => word === 'persons'),
    ).toBe(undefined);
    noFaults();
  });
});

inBrowser('the list of accounts', () => {
  it('is filtered by the properties of its type, and starts anew with another type', async () => {
    await h.open('accounts');
    await h.page.getByRole('status').filter({ hasText: '3 companies' }).waitFor();
    await h.press('Filter');
    await h.press('Add a filter');
    await h.type('Property', 'seats');
    await h.choose('Operator', '>');
    await h.field('Value').click();
    await h.page.keyboard.type('5');
    await h.page.getByRole('status').filter({ hasText: '1 company' }).waitFor();
    await h.page.getByRole('grid').getByRole('link', { name: 'Acme Works' }).waitFor();
    await h.pick('Teams');
    await h.page.getByRole('status').filter({ hasText: '1 team' }).waitFor();
    noFaults();
  });
});

inBrowser('a cohort of persons', () => {
  const names = () => h.page.getByRole('status').filter({ hasText: 'at this moment' }).locator('..');
  const criterion = () => h.page.getByRole('group', { name: 'Criterion' });

  it('is built by what a company of theirs did and has, and by what they did not do themselves', async () => {
    await h.open('cohorts/new');
    await h.choose('Holds or not', 'belong to a company that has');
    await h.type('Event', 'paid');
    await h.page
      .getByRole('status')
      .filter({ hasText: /2\s*persons at this moment/ })
      .waitFor();
    await h.press('Add a criterion');
    await h.choose('Kind of criterion', 'the property', criterion().nth(1));
    await h.choose('Holds or not', 'belong to a company that has', criterion().nth(1));
    await h.type('Property', 'plan', criterion().nth(1));
    await criterion().nth(1).getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('pr');
    await h.page.getByRole('option', { name: 'pro', exact: true }).click();
    await h.page.keyboard.press('Tab');
    await h.press('Add a criterion');
    await h.choose('Holds or not', 'have not', criterion().nth(2));
    await h.type('Event', 'paid', criterion().nth(2));
    await h.page
      .getByRole('status')
      .filter({ hasText: /1\s*person at this moment/ })
      .waitFor();
    await names().getByRole('link', { name: 'ada' }).waitFor();
    await h.field('Name').click();
    await h.page.keyboard.type('Colleagues of buyers');
    await h.press('Create cohort');
    await h.title('Colleagues of buyers');
    await h.page.getByRole('grid').getByRole('link', { name: 'ada' }).waitFor();
    noFaults();
  });

  it('explains its criteria by the name of the type', async () => {
    const { results } = await h.ask<{ results: { id: number; name: string }[] }>('cohorts?search=Colleagues');
    const { uuid } = (await h.ask<{ results: { uuid: string }[] }>('persons?search=ada')).results[0] ?? { uuid: '' };
    await h.open(`cohorts/${results[0]?.id}?tab=explain&person=${uuid}`);
    await h.see(/They belong to a company that has performed “paid” in the last 30 days/);
    await h.see(/They belong to a company that has a property plan that is pro/);
    await h.open(`persons/${uuid}?tab=cohorts`);
    noFaults();
  });

  it('may be that of persons without such a company', async () => {
    await h.open('cohorts/new');
    await h.choose('Holds or not', 'belong to no company that has');
    await h.type('Event', 'paid');
    // cy, dan, eve and evil: the one with the hostile name belongs to no company at all.
    await h.page
      .getByRole('status')
      .filter({ hasText: /4\s*persons at this moment/ })
      .waitFor();
    noFaults();
  });
});

inBrowser('a cohort of accounts', () => {
  it('is built with a live count, lists its members and their changes, and explains them', async () => {
    await h.open('cohorts/new');
    await h.choose('Members', 'Companies');
    await h.see('Companies for which');
    await h.choose('Kind of criterion', 'performed several times');
    await h.type('Event', 'report opened');
    await h.field('Count').click();
    await h.page.keyboard.press('ControlOrMeta+a');
    await h.page.keyboard.type('2');
    await h.choose('What is counted', 'persons who did it');
    await h.page
      .getByRole('status')
      .filter({ hasText: /1\s*company at this moment/ })
      .waitFor();
    await h.page.getByRole('link', { name: 'Acme Works' }).waitFor();
    await h.field('Name').click();
    await h.page.keyboard.type('Two readers');
    await h.press('Create cohort');
    await h.title('Two readers');
    await h.page.getByRole('status').filter({ hasText: '1 company' }).waitFor();
    await h.page.getByRole('grid').getByRole('link', { name: 'Acme Works' }).waitFor();
    await h.page.getByRole('tab', { name: 'Changes' }).click();
    await h.table('Changes').getByRole('link', { name: 'acme' }).waitFor();
    await h.page.getByRole('tab', { name: 'Explain' }).click();
    await h.type('Company', 'Birch');
    await h.see('Not a member now');
    await h.see(/They have had at least 2 persons perform “report opened”/);
    await h.see('Seen: 1 person.');
  }, 60_000);

  it('may be of those of whom enough persons do something regularly', async () => {
    await h.open('cohorts/new');
    await h.choose('Members', 'Companies');
    await h.choose('Kind of criterion', 'performed regularly');
    await h.type('Event', 'report opened');
    for (const [field, value] of [
      ['Count', '2'],
      ['Periods in which it happened', '1'],
    ] as const) {
      await h.field(field).click();
      await h.page.keyboard.press('ControlOrMeta+a');
      await h.page.keyboard.type(value);
    }
    await h.choose('What is counted', 'persons who did it');
    await h.page
      .getByRole('status')
      .filter({ hasText: /1\s*company at this moment/ })
      .waitFor();
    await h.page.getByRole('link', { name: 'Acme Works' }).waitFor();
    noFaults();
  });
});

inBrowser('a file of accounts', () => {
  it('becomes a static cohort, which says what was not found', async () => {
    await h.open('cohorts/new?from=csv');
    await h.choose('Members', 'Companies');
    await h.page.locator('input[type=file]').setInputFiles({
      ...{ name: 'partners.csv', mimeType: 'text/csv' },
      buffer: Buffer.from('group_key\nacme\nbirch\nunknown\n'),
    });
    await h.press('Create cohort');
    await h.title('partners');
    await h.page.getByRole('tab', { name: 'Members' }).click();
    await h.page.getByRole('status').filter({ hasText: '2 companies' }).waitFor();
    await h.page.getByRole('grid').getByRole('link', { name: 'Birch' }).waitFor();
    await h.page.getByRole('tab', { name: 'Upload' }).click();
    await h.see(/unknown/);
    noFaults();
  });
});

inBrowser('a flag about accounts', () => {
  it('counts companies, and says on their pages what they get', async () => {
    await h.open('flags/new');
    await h.field('Key').click();
    await h.page.keyboard.type('beta');
    await h.choose('Whom the flag is about', 'Companies');
    const counted = h.page.getByRole('region', { name: 'Who gets what' }).getByRole('status');
    await counted.filter({ hasText: /^3\s*of 3 companies/ }).waitFor();
    const condition = h.page.getByRole('region', { name: 'Condition 1' });
    await h.press('Add a filter', condition);
    await h.type('Property', 'plan', condition);
    await condition.getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('pro');
    await h.page.keyboard.press('Enter');
    await counted.filter({ hasText: /^1\s*of 3 companies get it at this moment$/ }).waitFor();
    await h.press('Create flag');
    await h.title('beta');
    await h.page.getByRole('tab', { name: 'Who gets what' }).click();
    await h
      .table('Who gets what')
      .getByRole('row', { name: /^Birch .*off No condition holds/ })
      .waitFor();
    await h.table('Who gets what').getByRole('link', { name: 'Acme Works' }).click();
    await h.page.getByRole('tab', { name: 'Flags' }).click();
    await h
      .table('Flags')
      .getByRole('row', { name: /^beta on Condition 1 holds/ })
      .waitFor();
    noFaults();
  });
});

inBrowser('the pages about accounts', () => {
  it('are accessible in both schemes and fit a phone', async () => {
    const found: string[] = [];
    const pages = [
      'cohorts/new',
      `insights/trends?${asked({ ...ofCompanies, display: 'BoldNumber', events: [{ ...opened, math: 'dau' }], breakdowns: [{ type: 'group', group_type_index: 0, property: 'plan' }] })}`,
      `accounts?${asked({ filter: { type: 'AND', values: [{ type: 'group', group_type_index: 0, key: 'plan', operator: 'exact', value: ['pro'] }] } })}`,
    ];
    await inEveryForm(h, async () => {
      for (const page of pages) {
        await h.open(page);
        await h.page.waitForTimeout(600);
        found.push(...(await faultsOf(h)));
      }
    });
    expect(found).toEqual([]);
    noFaults();
  }, 120_000);
});
