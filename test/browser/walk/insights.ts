import { demand, numberOf, numbersOf, type Hands, type Step } from './hands.js';

interface Answer<T> {
  readonly insight: T;
}

const steps = '[{"id":"product viewed"},{"id":"order paid"}]';
const query = (params: Record<string, string>): string =>
  new URLSearchParams({ ...params, include: 'insight' }).toString();

const funnelCount = (hands: Hands, at: number) =>
  hands.page
    .locator('ol > li')
    .nth(at)
    .getByRole('button', { name: /persons/ })
    .last();

/** Every control of the pages of insights; what they draw is compared with the interface's answer to the same question. */
export const insightSteps: Readonly<Record<string, readonly Step[]>> = {
  trends: [
    [
      'builds a question, with a formula and a breakdown',
      async (h) => {
        await h.open('insights/trends');
        await h.find('Series A: event', 'order paid');
        await h.choose('Series A: what is counted', 'Unique persons');
        await h.press('Series A: duplicate');
        await h.choose('Series B: what is counted', 'Total count');
        await h.fill('Formula', 'B / A');
        await h.table('Trends').getByText('B / A').first().waitFor();
        await h.fill('Formula', '');
        await h.page.waitForURL(({ search }) => !search.includes('formula'));
        await h.press('Series B: remove');
        await h.press('Series A: filters, 0');
        await h.press('Break down by');
        await h.find('Breakdown 1: property', 'country');
        await h.table('Trends').getByRole('rowheader', { name: 'US' }).waitFor();
        await h.press('Breakdown 1: remove');
      },
    ],
    [
      'draws what the interface answers, in every picture',
      async (h) => {
        await h.range('Last 7 days', 'Last 30 days');
        await h.choose('Length of one point', 'by week');
        for (const picture of [
          'Stacked bars',
          'Stacked area',
          'Running total',
          'Bars of totals',
          'Table',
          'Number',
          'Line',
        ])
          await h.choose('Picture', picture);
        const events = JSON.stringify([{ id: 'order paid', math: 'dau' }]);
        const { insight } = await h.ask<Answer<{ series: { data: number[] }[] }>>(
          `persons/trends?${query({ events, date_from: '-30d', interval: 'week' })}`,
        );
        await h.page.waitForURL(({ search }) => !search.includes('display'));
        const [row = []] = await numbersOf(h.table('Trends'));
        demand('the points of the line', row.slice(1), insight.series[0]?.data);
        await h.opensPersons(h.table('Trends').getByRole('button').nth(2));
        await h.choose('Comparison', 'Previous period');
        await h.table('Trends').getByText('order paid (previous)').waitFor();
      },
    ],
    [
      'shares and saves it, changes it and saves the change',
      async (h) => {
        await h.menu('Share', 'Copy link');
        await h.menu('Share', 'Copy as curl');
        demand('the CSV file', /^trends-.*\.csv$/.test(await h.download(() => h.menu('Share', 'Download CSV'))), true);
        demand('the picture', /^trends-.*\.png$/.test(await h.download(() => h.menu('Share', 'Download PNG'))), true);
        await h.press('Save');
        await h.fill('Name', 'Orders by week', h.dialog);
        await h.press('Save', h.dialog);
        await h.title('Orders by week');
        await h.button('Saved').waitFor();
        await h.choose('Picture', 'Stacked bars');
        await h.press('Save changes');
        await h.button('Saved').waitFor();
      },
    ],
  ],
  funnel: [
    [
      'takes an event that is typed into the new step, by Enter and by leaving the field, also one that has not arrived',
      async (h) => {
        await h.open('insights/funnel');
        const typed = [
          ['order pa', 'Enter', 'order paid'],
          ['product v', 'Tab', 'product viewed'],
          ['order payd', 'Enter', 'order payd'],
        ] as const;
        for (const [at, [text, key, event]] of typed.entries()) {
          await h.press('Add a step');
          await h.page.keyboard.type(text);
          await h.page.getByRole('option', { name: event }).waitFor();
          await h.page.keyboard.press(key);
          const step = h.page.getByRole('combobox', { name: `Step ${at + 1}: event` });
          await step.and(h.page.locator(`[value="${event}"]`)).waitFor();
        }
        await h.see('No event named order payd has arrived: did you mean order paid?');
      },
    ],
    [
      'builds the steps, their order and an exclusion',
      async (h) => {
        await h.open('insights/funnel');
        for (const [at, event] of ['product viewed', 'order paid'].entries()) {
          await h.press('Add a step');
          await h.find(`Step ${at + 1}: event`, event);
        }
        await h.choose('Order of the steps', 'In any order');
        await h.choose('Order of the steps', 'In this order');
        await h.press('Exclude an event');
        await h.press('Exclusion 1: remove');
      },
    ],
    [
      'draws what the interface answers, and each number opens its persons',
      async (h) => {
        const { insight } = await h.ask<Answer<{ steps: { count: number }[] }>>(
          `persons/funnel?${query({ events: steps })}`,
        );
        for (const [at, { count }] of insight.steps.entries()) {
          demand(`step ${at + 1}`, numberOf(await funnelCount(h, at).innerText()), count);
          await h.opensPersons(funnelCount(h, at));
        }
        await h.pick('Time to convert', h.answer);
        const bins = h.table('Time to convert').locator('tbody tr button');
        await bins.first().waitFor();
        for (const bin of await bins.all()) await h.opensPersons(bin);
        await h.pick('Trends', h.answer);
        const converted = h.table('Conversion over time').getByRole('row').nth(2).getByRole('button');
        await h.opensPersons(converted.first());
        await h.pick('Steps', h.answer);
      },
    ],
  ],
  correlation: [
    [
      'compares those who converted with the others',
      async (h) => {
        await h.press('Show correlations');
        await h.title('Correlation');
        await h.opensPersons(h.table('Correlation with the conversion').getByRole('button').first());
        await h.pick('Person properties');
        await h.opensPersons(h.table('Correlation with the conversion').getByRole('button').first());
      },
    ],
  ],
  retention: [
    [
      'draws what the interface answers, and each cell opens its persons',
      async (h) => {
        await h.open('insights/retention');
        await h.find('Event 1: event', 'product viewed');
        await h.pick('Persons', h.answer);
        const entity = '{"id":"product viewed"}';
        const { insight } = await h.ask<Answer<{ matrix: number[][] }>>(
          `persons/retention?${query({ target_entity: entity })}`,
        );
        const rows = (await numbersOf(h.table('Retention'))).slice(1);
        demand(
          'the cells',
          rows.map((row) => row.slice(1)),
          insight.matrix,
        );
        const cells = h.table('Retention').getByRole('row').nth(3).getByRole('button');
        for (const at of [1, 2, 3]) if (await cells.nth(at).isEnabled()) await h.opensPersons(cells.nth(at));
        await h.choose('Length of an interval', 'weeks');
        await h.choose('When a person counts as back', 'back in the interval or later');
        await h.choose('Mean of the rows', 'Weighted mean');
        await h.choose('Which events begin', 'with the first such event ever');
      },
    ],
  ],
  paths: [
    [
      'opens the persons of an edge and of a place, and starts at a place',
      async (h) => {
        await h.open('insights/paths');
        await h.opensPersons(h.table('Edges of the paths').getByRole('button').first());
        await h.page.getByRole('combobox', { name: 'Step of the paths' }).click();
        await h.page.getByRole('option').nth(3).click();
        await h.press('Went on');
        await h.dialog
          .getByText(/\d persons?$/)
          .first()
          .waitFor();
        await h.press('Close the persons');
        await h.press('Start here');
        await h.table('Edges of the paths').getByRole('button').first().waitFor();
      },
    ],
  ],
  lifecycle: [
    [
      'opens the persons of each state',
      async (h) => {
        await h.open('insights/lifecycle');
        await h.answered('persons/lifecycle', 'order', () => h.find('Series A: event', 'order paid'));
        for (const state of [1, 2, 3, 4]) {
          const numbers = h.table('Lifecycle').getByRole('row').nth(state).getByRole('button');
          await h.table('Lifecycle').getByRole('row').nth(state).waitFor();
          if ((await numbers.count()) > 0) await h.opensPersons(numbers.first());
        }
      },
    ],
  ],
  stickiness: [
    [
      'opens the persons by their number of days',
      async (h) => {
        await h.open('insights/stickiness');
        const numbers = h.table('Stickiness').getByRole('button');
        await numbers.first().waitFor();
        for (const at of [0, 1, 2]) await h.opensPersons(numbers.nth(at));
      },
    ],
  ],
};
