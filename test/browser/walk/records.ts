import { demand, numberOf, type Hands, type Step } from './hands.js';

/** Each kind of criterion, and the fields that it cannot do without. */
const criteria: readonly (readonly [kind: string, fill: (h: Hands) => Promise<void>])[] = [
  ['performed', (h) => h.find('Event', 'order paid')],
  ['performed several times', (h) => h.choose('How the count is compared', 'at most')],
  ['performed for the first time', () => Promise.resolve()],
  ['performed in a sequence', (h) => h.find('Event that follows', 'order paid')],
  ['performed regularly', () => Promise.resolve()],
  ['stopped performing', () => Promise.resolve()],
  ['restarted performing', () => Promise.resolve()],
  [
    'the property',
    async (h) => {
      await h.find('Property', 'country');
      await h.page.getByRole('combobox', { name: 'Values' }).or(h.field('Values')).first().fill('US');
      await h.page.keyboard.press('Enter');
    },
  ],
  ['in the cohort', (h) => h.find('Cohorts, any of them', 'Frequent customers')],
];

/** The number of persons that the builder counts while one writes; it follows a moment later. */
const counted = async ({ page }: Hands): Promise<number> => {
  await page.waitForResponse((response) => response.url().includes('/cohorts/preview'));
  await page.getByRole('status').getByLabel('Counting').waitFor({ state: 'detached' });
  return numberOf(await page.getByRole('status').first().innerText());
};

interface Listed {
  readonly count: number;
}

export const recordSteps: Readonly<Record<string, readonly Step[]>> = {
  live: [
    [
      'pauses, goes on and filters',
      async (h) => {
        await h.open('live');
        await h.see('Connected');
        await h.press('Pause the stream');
        await h.see('Paused');
        await h.press('Resume the stream');
        await h.see('Connected');
        await h.find('Only this event', 'order paid');
        await h.press('Properties of order paid');
        await h.page.locator('main pre, main code').first().waitFor();
        await h.fill('Only this distinct id', 'an id that nobody has');
        await h.see('Waiting for the next event');
      },
    ],
  ],
  cohorts: [
    [
      'makes one with each criterion in turn',
      async (h) => {
        await h.open('cohorts');
        await h.menu('New cohort', 'From behaviour and properties');
        await h.fill('Name', 'Walked');
        const criterion = h.page.getByRole('group', { name: 'Criterion' }).first();
        for (const [at, [kind, fill]] of criteria.entries()) {
          const count = counted(h);
          if (at > 0) await h.choose('Kind of criterion', kind, criterion);
          await fill(h);
          await count;
        }
        await h.press('Copy this criterion');
        await h.page.getByRole('button', { name: 'Remove this criterion' }).last().click();
        await h.press('Create cohort');
        await h.title('Walked');
      },
    ],
    [
      'shows its members, and changes, recalculates, copies, deletes and restores it',
      async (h) => {
        await h.page.getByRole('tab', { name: 'Members' }).click();
        const { results } = await h.ask<{ results: { id: number; name: string; count: number }[] }>(
          'cohorts?search=Walked',
        );
        const [cohort] = results;
        const { count } = await h.ask<Listed>(`cohorts/${cohort?.id}/persons?limit=1`);
        await h.page
          .getByRole('status')
          .filter({ hasText: `${count.toLocaleString('en')} ` })
          .first()
          .waitFor();
        for (const tab of ['History', 'Changes', 'Explain', 'Activity', 'Definition'])
          await h.page.getByRole('tab', { name: tab }).click();
        await h.press('Change the name and the description');
        await h.fill('Name', 'Walked twice');
        await h.page.locator('form').getByRole('button', { name: 'Save' }).click();
        await h.title('Walked twice');
        await h.press('Recalculate');
        await h.see(/persons?(: .*)?\.$/);
        await h.menu('More', 'Duplicate as static');
        await h.see('Copied as');
        await h.menu('More', 'Delete');
        await h.press('Delete', h.dialog);
        await h.press('Restore');
        await h.button('More').waitFor();
      },
    ],
    [
      'makes a static one of a CSV file',
      async (h) => {
        const { results } = await h.ask<{ results: { distinct_ids: string[] }[] }>('persons?limit=3');
        const csv = ['distinct_id', ...results.map(({ distinct_ids }) => distinct_ids[0])].join('\n');
        await h.open('cohorts');
        await h.menu('New cohort', 'From a CSV file');
        await h.page
          .locator('input[type=file]')
          .setInputFiles({ name: 'three.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
        await h.press('Create cohort');
        await h.title('three');
        await h.page.getByRole('tab', { name: 'Members' }).click();
        await h.see(/^3 (persons|members)/);
      },
    ],
  ],
  sql: [
    [
      'runs, draws, explains, downloads and saves a question',
      async (h) => {
        await h.open('sql');
        await h.press('Run');
        await h.see(/rows read/);
        await h.pick('Chart');
        await h.page.locator('main canvas').first().waitFor();
        await h.pick('Explain');
        await h.see('Rows to read');
        demand('the file', await h.download(() => h.press('CSV')), 'answer.csv');
        await h.pick('Table');
        await h.press('Save');
        await h.fill('Name', 'Events by name', h.dialog);
        await h.press('Save', h.dialog);
        await h.title('Events by name');
      },
    ],
    [
      'makes a cohort of an answer, all of whose persons are members',
      async (h) => {
        const statement = "select distinct person_id from events where event = 'order paid'";
        await h.open(`sql?q=${encodeURIComponent(statement)}`);
        await h.see(/rows read/);
        await h.press('Save as cohort');
        await h.fill('Name', 'Buyers', h.dialog);
        await h.dialog.getByRole('button').last().click();
        await h.title('Buyers');
        const { insight } = await h.ask<{ insight: { series: { count: number }[] } }>(
          `persons/trends?include=insight&date_from=all&display=BoldNumber&events=${encodeURIComponent('[{"id":"order paid","math":"dau"}]')}`,
        );
        await h.see(`${insight.series[0]?.count.toLocaleString('en')} persons`);
      },
    ],
  ],
  persons: [
    [
      'searches, filters and chooses columns',
      async (h) => {
        await h.open('persons');
        await h.fill('Search persons', 'ada');
        await h.page.waitForURL(/search=ada/);
        const { count } = await h.ask<Listed>('persons?search=ada&limit=1');
        await h.page
          .getByRole('status')
          .filter({ hasText: `${count.toLocaleString('en')} persons` })
          .waitFor();
        await h.press('Filter');
        await h.press('Add a filter');
        await h.press('Columns');
        await h.page.keyboard.press('Escape');
        await h.press('Refresh');
      },
    ],
    [
      'shows a person, changes a property, merges and deletes it',
      async (h) => {
        await h.open('persons?search=ada');
        await h.page.getByRole('grid').locator('[data-link]').first().click();
        await h.page.getByRole('tab', { name: 'Properties' }).waitFor();
        for (const tab of await h.page.getByRole('tab').all()) await tab.click();
        await h.page.getByRole('tab', { name: 'Properties' }).click();
        await h.page
          .getByRole('button', { name: /^Change ./ })
          .first()
          .click();
        await h.page.getByRole('textbox', { name: 'Value' }).fill('FR');
        await h.press('Save');
        await h.page.getByText('FR', { exact: true }).first().waitFor();
        await h.menu('Change', 'Merge with another person …');
        await h.fill('The other person', 'ben', h.dialog);
        await h.dialog.getByRole('radio').first().check();
        await h.press('Merge', h.dialog);
        await h.see('was merged into');
        await h.menu('Change', 'Delete …');
        await h.dialog.getByRole('checkbox').check();
        await h.press('Delete the person and its events', h.dialog);
        await h.title('Persons');
        await h.see('Deletion of the events of person');
      },
    ],
    [
      'deletes several',
      async (h) => {
        await h.open('persons?search=ben');
        await h.page.getByRole('grid').getByRole('checkbox').nth(1).check();
        await h.page
          .getByRole('button', { name: /^Delete/ })
          .first()
          .click();
        await h.press('Delete 1 person', h.dialog);
        await h.see('1 person deleted.');
        await h.press('Close', h.dialog);
      },
    ],
  ],
};
