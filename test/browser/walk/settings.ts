import { demand, type Hands, type Step } from './hands.js';

const stored = (h: Hands) => h.press('I have stored it');

interface Tokens {
  readonly api_token: string;
  readonly previous_api_token_until: string | null;
}

/** Two changes while the service takes its time; the widths of the tiles that it has in the end. */
const laterSaved = async (h: Hands, change: () => Promise<void>): Promise<number[]> => {
  const address = '**/api/projects/*/dashboards/*';
  let answered = 0;
  await h.page.route(address, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    await h.page.waitForTimeout(1500);
    await route.fulfill({ response: await route.fetch() });
    answered += 1;
  });
  await change();
  while (answered < 2) await h.page.waitForTimeout(100);
  await h.page.unroute(address);
  const { results } = await h.ask<{ results: { tiles: { width: number }[] }[] }>('dashboards?search=Walk');
  return results[0]?.tiles.map(({ width }) => width) ?? [];
};

export const password = 'a password that is long enough';

/** Saved insights, dashboards, the catalogue and all settings. The last step signs out. */
export const settingSteps: Readonly<Record<string, readonly Step[]>> = {
  saved: [
    [
      'renames and marks an insight',
      async (h) => {
        await h.open('saved');
        await h.pick('Insights');
        await h.press('Rename Orders by week');
        await h.fill('Name', 'Orders each week', h.dialog);
        await h.press('Save', h.dialog);
        await h.press('Add Orders each week to your favourites');
        await h.button('Remove Orders each week from your favourites').waitFor();
        await h.flip('Favourites');
        await h.page.getByRole('link', { name: 'Events by name' }).waitFor({ state: 'detached' });
        await h.fill('Search by name', 'each');
        await h.page.getByRole('link', { name: 'Orders each week' }).click();
        await h.title('Orders each week');
        await h.button('Saved').waitFor();
      },
    ],
    [
      'makes a dashboard with tiles, whose numbers open their persons',
      async (h) => {
        await h.open('saved');
        await h.press('New dashboard');
        await h.fill('Name', 'Walk', h.dialog);
        await h.press('Create', h.dialog);
        await h.title('Walk');
        for (const insight of ['Orders each week', 'Events by name']) {
          await h.menu('Add', 'Saved insight');
          await h.choose('Saved insight', insight, h.dialog);
          await h.press('Add', h.dialog);
          await h.page
            .getByRole('region', { name: insight })
            .getByText(/^As of/)
            .waitFor();
        }
        const saved = await laterSaved(h, async () => {
          for (const change of ['Whole width', 'Move later']) await h.menu('Change the tile Orders each week', change);
        });
        demand('the widths', saved, [6, 12]);
        await h.menu('Change the tile Orders each week', 'Half the width');
        await h.range('Range of each insight', 'Last 30 days');
        await h.press('Refresh all tiles');
        await h.menu('Change the tile Events by name', 'Remove');
        await h.page.getByRole('region', { name: 'Events by name' }).waitFor({ state: 'detached' });
        await h.menu('More about the dashboard', 'Rename');
        await h.fill('Name', 'Walked', h.dialog);
        await h.press('Save', h.dialog);
        await h.title('Walked');
      },
    ],
    [
      'deletes both',
      async (h) => {
        await h.open('saved');
        await h.press('Delete Walked');
        await h.press('Delete', h.dialog);
        await h.see('No dashboard');
        await h.pick('Insights');
        await h.press('Delete Orders each week');
        await h.press('Delete', h.dialog);
        await h.page.getByRole('link', { name: 'Orders each week' }).waitFor({ state: 'detached' });
      },
    ],
  ],
  catalogue: [
    [
      'describes a name, hides it and shows it again',
      async (h) => {
        await h.open('catalogue');
        await h.press('order paid');
        await h.fill('Description', 'An order was paid.', h.dialog);
        await h.flip('Hidden', h.dialog);
        await h.press('Save', h.dialog);
        await h.flip('Hidden only');
        await h.see('An order was paid.');
        await h.press('order paid');
        await h.flip('Hidden', h.dialog);
        await h.press('Save', h.dialog);
        await h.see('Nothing is hidden');
        await h.flip('Hidden only');
        for (const kind of ['Event properties', 'Person properties']) {
          await h.pick(kind);
          await h.fill('Search by name', 'country');
          await h.button('country').waitFor();
        }
      },
    ],
  ],
  project: [
    [
      'changes the project, its filters and its rewrites',
      async (h) => {
        await h.open('settings/project');
        await h.fill('Name', 'Shop');
        await h.choose('First day of the week', 'Monday');
        await h.press('Save');
        await h.see('Project saved.');
        await h.press('Copy');
        await h.open('settings/filters');
        await h.press('Add a rule');
        await h.fill('Regular expression 1', '\\d+');
        await h.fill('Alias 1', ':id');
        await h.fill('Try a URL', '/users/42');
        await h.see('/users/:id');
        await h.press('Save rules');
        await h.see('Rules saved.');
        const project = await h.ask<{ name: string; path_cleaning_filters: object[] }>('');
        demand(
          'the project',
          [project.name, project.path_cleaning_filters],
          ['Shop', [{ alias: ':id', regex: '\\d+' }]],
        );
        await h.press('Remove rule 1');
        await h.press('Save rules');
      },
    ],
    [
      'sets how long events are kept, after a look at what that removes',
      async (h) => {
        await h.open('settings/project');
        await h.fill('Keep events', '1');
        await h.see(/would remove [\d,]+ events, the oldest from/);
        await h.press('Save duration');
        await h.press('Cancel', h.dialog);
        await h.press('Add an exception');
        await h.fill('Event name 1', 'order paid');
        await h.fill('Keep events', '36500');
        await h.see(/would remove no events/);
        await h.press('Save duration');
        await h.see('Duration saved.');
        const project = await h.ask<{ events_ttl_days: number | null; events_ttl_days_by_name: object }>('');
        demand(
          'the time',
          [project.events_ttl_days, project.events_ttl_days_by_name],
          [36_500, { 'order paid': null }],
        );
        await h.press('Remove exception 1');
        await h.fill('Keep events', '');
        await h.press('Save duration');
      },
    ],
    [
      'protects a property and merges from the token of the project',
      async (h) => {
        await h.open('settings/project');
        await h.page.getByRole('combobox', { name: 'Protected person properties' }).click();
        await h.page.keyboard.type('role');
        await h.page.keyboard.press('Enter');
        await h.page.getByRole('switch', { name: 'Require a secret key to merge identified persons' }).click();
        await h.press('Save protection');
        await h.see('Protection saved.');
        const project = await h.ask<{ protected_person_properties: string[]; protected_merges: boolean }>('');
        demand('the protection', [project.protected_person_properties, project.protected_merges], [['role'], true]);
      },
    ],
    [
      'forbids links to dashboards, and allows them again',
      async (h) => {
        await h.open('settings/project');
        const allow = h.page.getByRole('switch', { name: 'Allow links' });
        await allow.click();
        await h.see('No link shows a dashboard now.');
        const project = () => h.ask<{ dashboard_links_forbidden: boolean }>('');
        demand('the links', (await project()).dashboard_links_forbidden, true);
        await allow.click();
        await h.see('Links work again.');
        demand('the links', (await project()).dashboard_links_forbidden, false);
      },
    ],
    [
      'rotates the token of the project',
      async (h) => {
        await h.open('settings/project');
        const before = await h.ask<Tokens>('');
        await h.press('Rotate');
        await h.choose('Keep the previous token valid for', 'For 30 days', h.dialog);
        await h.press('Rotate', h.dialog);
        await h.see(/^The previous token works until/);
        const after = await h.ask<Tokens>('');
        demand('another token', after.api_token === before.api_token, false);
        const days = (Date.parse(after.previous_api_token_until ?? '') - Date.now()) / 86_400_000;
        demand('the days of the earlier token', Math.round(days), 30);
        await h.see(after.api_token);
      },
    ],
    [
      'deletes another project, whose name confirms it',
      async (h) => {
        const made = await h.page.evaluate<{ id: number; name: string }>(`fetch('/api/projects', {
          method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Passing"}',
        }).then((answer) => answer.json())`);
        await h.page.goto(new URL(`/p/${made.id}/settings/project`, h.page.url()).href);
        await h.press('Delete this project');
        await h.fill('Project name', 'passing', h.dialog);
        demand('another name', await h.button('Delete project', h.dialog).isDisabled(), true);
        await h.fill('Project name', made.name, h.dialog);
        await h.press('Delete project', h.dialog);
        await h.see('“Passing” is deleted. Its data is being removed.');
        await h.page.waitForURL(/\/p\/1\/overview/);
        demand('the projects', await h.page.getByLabel('Project').locator('option').allInnerTexts(), ['Shop']);
      },
    ],
    [
      'makes, rotates and revokes a key',
      async (h) => {
        await h.open('settings/keys');
        await h.press('New key');
        await h.fill('Label', 'walk', h.dialog);
        await h.press('Create key', h.dialog);
        await stored(h);
        await h.press('Rotate the key walk');
        await h.choose('Keep the previous secret valid for', 'For 1 hour', h.dialog);
        await h.press('Rotate', h.dialog);
        await h.title('The new secret of walk', 2);
        await stored(h);
        await h.see(/^The previous secret works until/);
        await h.press('Rotate the key walk');
        await h.choose('Keep the previous secret valid for', 'No, end it now', h.dialog);
        await h.press('Rotate', h.dialog);
        await stored(h);
        await h.page.getByText(/^The previous secret works until/).waitFor({ state: 'detached' });
        await h.press('Revoke the key walk');
        await h.press('Revoke', h.dialog);
        await h.button('Revoke the key walk').waitFor({ state: 'detached' });
      },
    ],
    [
      'invites, and takes the invitation back',
      async (h) => {
        await h.open('settings/members');
        await h.fill('E-mail', 'grace@example.test');
        await h.choose('Role', 'Viewer: reads');
        await h.press('Invite');
        await stored(h);
        await h.press('Revoke the invitation of grace@example.test');
        await h.see('No open invitations.');
      },
    ],
    [
      'makes a user, a link for a password, ends its sessions and removes it',
      async (h) => {
        await h.open('settings/users');
        await h.press('New user');
        await h.fill('E-mail', 'bob@example.test', h.dialog);
        await h.dialog.getByRole('button').last().click();
        await stored(h);
        const row = h.page.getByRole('row').filter({ hasText: 'bob@example.test' });
        await row.getByRole('switch').press('Space');
        await row.getByRole('button', { name: /^Create a password reset link/ }).click();
        await stored(h);
        await row.getByRole('button', { name: /^End all sessions/ }).click();
        await row.getByRole('button', { name: /^Remove/ }).click();
        await h.press('Remove', h.dialog);
        await row.waitFor({ state: 'detached' });
      },
    ],
    [
      'looks at the data and the health',
      async (h) => {
        await h.open('settings/data');
        await h.see('Ingestion warnings');
        await h.see(/created/);
        await h.open('settings/health');
        await h.see(/PostgreSQL/i);
        await h.page.getByRole('region', { name: 'ClickHouse usage' }).getByRole('cell', { name: 'Shop' }).waitFor();
      },
    ],
  ],
  account: [
    [
      'changes the name and the password, and signs out',
      async (h) => {
        await h.open('settings/account');
        await h.fill('First name', 'Ada');
        await h.press('Save');
        await h.see('Name saved.');
        await h.fill('New password', password);
        await h.press('Change password');
        await h.see('Password changed.');
        await h.press('Ada');
        await h.page.getByRole('menuitem', { name: 'Dark' }).click();
        await h.press('Ada');
        await h.page.getByRole('menuitem', { name: 'Sign out' }).click();
        await h.page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await h.fill('E-mail', 'demo@kohort.local');
        await h.fill('Password', password);
        await h.press('Sign in');
        await h.title('Overview');
      },
    ],
  ],
};
