import { percentile, rounded, type Figure } from '../bench.js';
import { type Visit } from './loading.js';

/** Pages by the names of their links, and what each shows once it is drawn. */
const pages: readonly { readonly link: string; readonly title?: string; readonly drawn: string }[] = [
  { link: 'Persons', drawn: '[role=grid] [data-index] [role=gridcell]' },
  { link: 'Cohorts', drawn: 'main table tbody tr, main [role=grid] [data-index]' },
  { link: 'Insights', title: 'Trends', drawn: 'main canvas' },
  { link: 'Live', drawn: 'main .numbers' },
  { link: 'SQL', drawn: 'main .cm-content' },
  { link: 'Saved', drawn: 'main h1' },
  { link: 'Catalogue', drawn: 'main table tbody tr' },
];

const rounds = 5;

/** From the click on a link of the menu until the page has drawn what it shows: a first visit loads the page's own code. */
export async function* navigationFigures({ url, newVisitor }: Visit): AsyncGenerator<Figure> {
  const times = { first: [] as number[], later: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const context = await newVisitor();
    const page = await context.newPage();
    await page.goto(`${url}/p/1/live`);
    await page.locator('main .numbers').first().waitFor();
    for (const which of ['first', 'later'] as const)
      for (const { link, title = link, drawn } of pages) {
        const target = page.locator('nav').getByRole('link', { name: link, exact: true }).first();
        await target.waitFor();
        const began = performance.now();
        await target.click();
        await page.locator('main h1').filter({ hasText: title }).waitFor();
        await page.locator(drawn).first().waitFor();
        times[which].push(performance.now() - began);
      }
    await context.close();
  }
  for (const [which, all] of Object.entries(times)) {
    all.sort((a, b) => a - b);
    const figure = `navigation, ${which} visit`;
    yield { figure: `${figure}, median`, value: rounded(percentile(all, 0.5), 0), unit: 'ms' };
    yield { figure: `${figure}, worst`, value: rounded(all.at(-1) ?? NaN, 0), unit: 'ms', atMost: 1000 };
  }
}
