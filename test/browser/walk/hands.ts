import { type Locator, type Page } from 'playwright-core';

/** What a person does on one page, by the names that a screen reader reads. */
export type Step = readonly [what: string, act: (hands: Hands) => Promise<void>];

export class Hands {
  constructor(
    readonly page: Page,
    /** Of the project's pages: `http://…/p/1`. */
    private readonly base: string,
    /** Asks the interface about the project with a key, to compare its answer with what is drawn. */
    readonly ask: <T>(path: string) => Promise<T>,
  ) {}

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  get answer(): Locator {
    return this.page.getByRole('region', { name: 'Answer' });
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.base}/${path}`);
    await this.page.locator('main h1').first().waitFor();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true }).first();
  }

  press(name: string | RegExp, within?: Locator): Promise<void> {
    return this.button(name, within).click();
  }

  async menu(button: string, item: string): Promise<void> {
    await this.press(button);
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Opens the ranges of time, and takes one of them by its name. */
  async range(button: string, range: string): Promise<void> {
    await this.press(button);
    await this.button(range, this.dialog).click();
  }

  field(name: string, within: Page | Locator = this.page): Locator {
    const exactly = { name, exact: true };
    return within.getByRole('textbox', exactly).or(within.getByRole('searchbox', exactly)).first();
  }

  fill(name: string, text: string, within?: Locator): Promise<void> {
    return this.field(name, within).fill(text);
  }

  /** Opens a list and takes one of its lines. */
  async choose(list: string, line: string, within: Page | Locator = this.page): Promise<void> {
    const box = within.getByRole('combobox', { name: list, exact: true }).first();
    await box.waitFor();
    // The browser itself shows the lines of such a list, outside of the page.
    if ((await box.and(this.page.locator('select')).count()) > 0) {
      await box.selectOption({ label: line });
      return;
    }
    await box.click();
    await this.page.getByRole('option', { name: line, exact: true }).first().click();
  }

  /** Types into a list that can be searched as a person does, key by key, and takes its first line with Enter. */
  async type(list: string, text: string, within: Page | Locator = this.page): Promise<void> {
    const box = within.getByRole('combobox', { name: list, exact: true }).first();
    await box.click();
    await this.page.keyboard.type(text);
    await this.page.getByRole('option').filter({ hasText: text }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Types into a list that can be searched, and takes the line. */
  async find(list: string, line: string, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('combobox', { name: list, exact: true }).first().fill(line);
    await this.page.getByRole('option', { name: line, exact: true }).first().click();
  }

  /** One of several choices that lie beside each other. */
  pick(choice: string, within: Page | Locator = this.page): Promise<void> {
    return within
      .locator('label')
      .filter({ hasText: new RegExp(`^${choice}$`) })
      .first()
      .click();
  }

  flip(name: string, within: Page | Locator = this.page): Promise<void> {
    return within
      .getByRole('switch', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  }

  see(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  title(text: string, level = 1): Promise<void> {
    return this.page.getByRole('heading', { level, name: text, exact: true }).waitFor();
  }

  table(name: string): Locator {
    return this.page.getByRole('table', { name, exact: true });
  }

  async download(act: () => Promise<void>): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), act()]);
    return download.suggestedFilename();
  }

  /** Changes the question, and waits until its answer has taken the place of the one before. */
  async answered(route: string, parameter: string, change: () => Promise<void>): Promise<void> {
    const response = this.page.waitForResponse((one) => one.url().includes(route) && one.url().includes(parameter));
    await change();
    await response;
    await this.answer.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  }

  /** Opens a number, and demands that its list has as many persons; `shown` is the number if the button has another text. */
  async opensPersons(number: Locator, shown?: number, [one, many] = ['person', 'persons']): Promise<void> {
    const count = shown ?? numberOf(await number.innerText());
    await number.click();
    const text = await this.dialog
      .getByRole('status')
      .filter({ hasText: new RegExp(`\\d (${one}|${many})$`) })
      .first()
      .innerText();
    await this.press(`Close the ${many}`);
    await this.dialog.waitFor({ state: 'hidden' });
    if (numberOf(text) !== count) throw new Error(`${count} is drawn, but the list has ${text}`);
  }
}

export const numberOf = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? NaN);

/** The numbers of each row of a table, without its name. */
export const numbersOf = async (table: Locator): Promise<number[][]> => {
  await table.locator('tbody tr').first().waitFor();
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('td').allInnerTexts()).map(numberOf)));
};

export const demand = (what: string, got: unknown, expected: unknown): void => {
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(`${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}`);
};
