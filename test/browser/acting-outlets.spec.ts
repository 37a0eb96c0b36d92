import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasBrowser } from '../support/browser.js';
import { importLines, personLine } from '../support/import.js';
import { makeUser } from '../support/signed-in.js';
import { until } from '../support/until.js';
import { faultsOf, hostileName, inEveryForm, openActing, type Acting } from './acting-scene.js';
import { numberOf, type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
let buyers: number;

const dayMs = 86_400_000;

/** Five sign-ups on each day but the newest two, which have one; all are by ada, who has a second, generated id. */
const signUps = (): object[] => {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  return Array.from({ length: 20 }, (_, at) => at + 1).flatMap((ago) =>
    Array.from({ length: ago > 2 ? 5 : 1 }, (_, nth) => ({
      ...{ type: 'event', event: 'signed up', distinct_id: 'ada' },
      properties: { plan: 'pro', secret: 'x' },
      timestamp: new Date(today - ago * dayMs + nth * 60_000).toISOString(),
    })),
  );
};

beforeAll(async () => {
  acting = await openActing();
  h = acting.hands;
  buyers = (await acting.scene.create({ name: 'Buyers', is_static: true, distinct_ids: ['ada', 'bob'] })).id;
  await importLines(acting.service, acting.scene.projectId, signUps());
}, 240_000);
afterAll(async () => acting.stop());
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const counted = (text: RegExp) =>
  h.page.getByRole('region', { name: 'Who gets what' }).getByRole('status').filter({ hasText: text });
const condition = (nth: number) => h.page.getByRole('region', { name: `Condition ${nth}` });
const typeInto = async (field: ReturnType<Hands['field']>, text: string): Promise<void> => {
  await field.click();
  await h.page.keyboard.press('ControlOrMeta+a');
  await h.page.keyboard.type(text);
};

inBrowser('a feature flag', () => {
  it('is made for a cohort, while the number of those who get it follows', async () => {
    await h.open('flags');
    await h.see('No flags yet');
    await h.page.getByRole('link', { name: 'New flag' }).click();
    await h.title('New flag');
    await counted(/^6\s*of 6 persons/).waitFor();
    const share = h.page.getByRole('textbox', { name: 'Condition 1: percentage', exact: true });
    await typeInto(share, '12.5');
    expect(await share.inputValue()).toBe('12.5%');
    await h.page.keyboard.press('Backspace');
    await h.page.keyboard.press('Backspace');
    await h.page.keyboard.type('.75');
    expect(await share.inputValue()).toBe('12.75%');
    await typeInto(share, '100');
    await typeInto(h.page.getByRole('textbox', { name: 'Key' }), 'new-checkout');
    await h.press('Add a filter', condition(1));
    await h.choose('Kind of filter', 'Cohort', condition(1));
    await counted(/without 1 unfinished filter/).waitFor();
    await h.type('Cohort', 'Buyers', condition(1));
    await counted(/^2\s*of 6 persons get it at this moment$/).waitFor();
    await condition(1).getByText('2 persons match, 2 get it here').waitFor();
    await h.choose('In or not in', 'not in', condition(1));
    await counted(/^4\s*of 6 persons/).waitFor();
    await h.choose('In or not in', 'in', condition(1));
    await counted(/^2\s*of 6 persons/).waitFor();
    await h.press('Create flag');
    await h.title('new-checkout');
    const { results } = await h.ask<{ results: { filters: object }[] }>('feature_flags');
    expect(results[0]?.filters).toMatchObject({
      groups: [
        {
          properties: [{ type: 'cohort', key: 'id', operator: 'in', value: buyers }],
          rollout_percentage: 100,
          variant: null,
        },
      ],
    });
    noFaults();
  });

  it('gets variants whose percentages must add up, and payloads that must be JSON', async () => {
    await h.pick('Variants');
    const variant = (nth: number) => h.page.getByRole('group', { name: `Variant ${nth}` });
    await h.see('Together 100%');
    await typeInto(h.field('Percentage', variant(2)), '40');
    await h.see('Together 90%: 10% too little');
    await counted(/The variants add up to 90%/).waitFor();
    expect(await h.button('Save').isDisabled()).toBe(true);
    await typeInto(h.field('Percentage', variant(1)), '60');
    await typeInto(h.field('Payload', variant(2)), '{"color":');
    await variant(2).getByRole('alert').filter({ hasText: 'This is not JSON' }).waitFor();
    await typeInto(h.field('Payload', variant(2)), '"green"');
    await variant(2).getByRole('alert').waitFor({ state: 'detached' });
    await h.choose('Condition 1: variant', 'test', condition(1));
    await h.page
      .getByRole('listitem')
      .filter({ hasText: /^test 2 33.3%$/ })
      .waitFor();
    await h.press('Save');
    await h.see('Flag saved');
    await h.see(/^Version 2/);
    await h.page.reload();
    await h.page
      .getByRole('listitem')
      .filter({ hasText: /^test 2 33.3%$/ })
      .waitFor();
    expect(await h.field('Payload', variant(2)).inputValue()).toBe('"green"');
    noFaults();
  });

  it('says what each person gets, and why', async () => {
    await h.page.getByRole('tab', { name: 'Who gets what' }).click();
    const rows = h.table('Who gets what');
    await rows.getByRole('row', { name: /^ada test Condition 1 holds/ }).waitFor();
    await rows.getByRole('row', { name: /^cy off No condition holds/ }).waitFor();
    await importLines(acting.service, acting.scene.projectId, [personLine('cy', { email: 'Cy@shop.example' })]);
    await h.field('Search persons').fill('cy@shop.example');
    const understood = h.page.getByRole('alert').filter({ hasText: 'is an e-mail address, not a distinct id' });
    await understood.getByText(/With cy@shop.example it gets off: No condition holds: no person has/).waitFor();
    await understood.getByText('cy', { exact: true }).first().waitFor();
    await h.field('Search persons').fill('ada');
    await understood.waitFor({ state: 'detached' });
    await rows.getByRole('link', { name: 'ada' }).click();
    await h.title('ada');
    await h
      .table('Flags')
      .getByRole('row', { name: /^new-checkout test Condition 1 holds .*"green"/ })
      .waitFor();
    await h.table('Flags').getByRole('link', { name: 'new-checkout' }).click();
    await h.title('new-checkout');
    noFaults();
  });

  it('shows what SDKs were told', async () => {
    await h.page.getByRole('tab', { name: 'Calls' }).click();
    await h.see('No calls yet');
    const call = { $feature_flag: 'new-checkout', $feature_flag_response: 'test', '$feature/new-checkout': 'test' };
    await importLines(acting.service, acting.scene.projectId, [
      { type: 'event', event: '$feature_flag_called', distinct_id: 'ada', properties: call },
      { type: 'event', event: 'paid', distinct_id: 'ada', properties: { '$feature/new-checkout': 'test' } },
    ]);
    await h.press('Refresh');
    await h.page.getByRole('grid').getByRole('row', { name: /^ada/ }).filter({ hasText: 'test' }).waitFor();
    await h.page.getByRole('link', { name: 'Funnel by variant' }).click();
    await h.title('Funnel');
    await h.page
      .getByText('$feature/new-checkout')
      .or(h.page.locator('[value="$feature/new-checkout"]'))
      .first()
      .waitFor();
    noFaults();
  });

  it('is turned off and on in the list, with its history, and is deleted', async () => {
    await h.open('flags');
    const row = h.table('Flags').getByRole('row', { name: /new-checkout/ });
    await row.getByText('Persons by 1 filter').waitFor();
    await row.locator('label').first().click();
    await h.see('new-checkout is off.');
    await h.pick('On');
    await h.see('No flag matches');
    await h.press('Remove the search and the filter');
    await row.getByRole('link').click();
    await h.see('The flag is off for everyone');
    await h.page.getByRole('tab', { name: 'Activity' }).click();
    await h.see('3 entries, newest first');
    await h.menu('More', 'Delete');
    await h.press('Delete', h.dialog);
    await h.see('No flags yet');
    noFaults();
  });
});

inBrowser('an alert', () => {
  const backtest = (text: RegExp) =>
    h.page.getByRole('region', { name: 'Backtest' }).getByRole('status').filter({ hasText: text });

  it('is made from the page of a saved insight, with what it would have done in the past', async () => {
    const question = { type: 'trends', params: { events: [{ id: 'signed up' }], interval: 'day' } };
    const { body } = await acting.scene.call('POST', 'insights', { body: { name: hostileName, question } });
    await h.open(`insights/trends?events=${encodeURIComponent('[{"id":"signed up"}]')}`);
    expect(await h.button('Alert me').isDisabled()).toBe(true);
    await h.open(`saved?insight=${(body as { id: number }).id}`);
    await h.page.getByRole('link', { name: 'Alert me' }).click();
    await h.title('New alert');
    await backtest(/Enter a bound/).waitFor();
    await typeInto(h.field('Name'), 'Few sign-ups');
    await typeInto(h.field('Lower bound'), '3');
    // The days before the first one count as zero: one breach ends with it, and another one began the day before yesterday.
    await backtest(/^2\s*times it would have fired in the past 90 days$/).waitFor();
    await h.press('Create alert');
    await h.title('Few sign-ups');
    await until(async () => {
      const { results } = await h.ask<{ results: { state: string }[] }>('alerts');
      return results[0]?.state === 'Firing';
    });
    await h.page.reload();
    await h.see('Firing');
    await h.page.getByRole('tab', { name: 'Checks' }).click();
    await h
      .table('Checks')
      .getByRole('row', { name: /A breach began/ })
      .waitFor();
    noFaults();
  });

  it('tells users by e-mail, and says what the operator must set where the service sends none', async () => {
    const { service, scene } = acting;
    const [member, gone] = [
      await makeUser(service, { roles: { [scene.projectId]: 'viewer' } }),
      await makeUser(service),
    ];
    const told = h.page.getByRole('region', { name: 'Who is told' });
    await h.page.getByRole('tab', { name: 'Definition' }).click();
    await h.page.reload();
    await told.getByText(/this installation has no SMTP server\. Whoever operates it sets SMTP_URL/).waitFor();
    expect(await told.getByRole('combobox', { name: 'E-mail to' }).count()).toBe(0);
    // As an alert of an installation that had a server then.
    const stored = [member.id, gone.id];
    await service.pool.query('UPDATE alerts SET subscribed_users = $1 WHERE project_id = $2', [
      stored,
      scene.projectId,
    ]);
    await h.page.reload();
    await told.getByText(gone.email).waitFor();
    await told.getByRole('combobox', { name: 'E-mail to' }).click();
    await h.page.keyboard.press('Backspace');
    await h.page.keyboard.press('Escape');
    await h.press('Save');
    await h.see('Alert saved.');
    const { results } = await h.ask<{ results: { subscribed_users: { email: string }[] }[] }>('alerts');
    expect(results[0]?.subscribed_users.map(({ email }) => email)).toEqual([member.email]);
    expect(await h.button('Save').isDisabled()).toBe(true);
    noFaults();
  });

  it('is changed to a band and back, snoozed, listed and deleted', async () => {
    await h.page.getByRole('tab', { name: 'Definition' }).click();
    await h.choose('What is compared', 'the number, beside its own past');
    await backtest(/^\d+\s*times? it would/).waitFor();
    await h.see('usual deviations from the median of');
    await h.choose('What is compared', 'its decrease since the interval before');
    await h.pick('%');
    await typeInto(h.field('Lower bound'), '');
    await h.page.keyboard.press('Delete');
    await typeInto(h.field('Upper bound'), '0.5');
    expect(await h.field('Upper bound').inputValue()).toBe('0.5%');
    await typeInto(h.field('Upper bound'), '50');
    // From five to one, once.
    await backtest(/^1\s*time it would/).waitFor();
    await h.press('Save');
    await h.see('Alert saved.');
    const { results } = await h.ask<{ results: object[] }>('alerts');
    expect(results).toMatchObject([
      {
        condition: { type: 'relative_decrease' },
        threshold: { configuration: { type: 'percentage', bounds: { lower: null, upper: 0.5 } } },
      },
    ]);
    await h.menu('Snooze', 'For a day');
    await h.see('The alert is snoozed.');
    await h.open('alerts');
    const row = h.table('Alerts').getByRole('row', { name: /Few sign-ups/ });
    await row.getByText('Snoozed', { exact: true }).waitFor();
    await row.getByText('The decrease is above 50%').waitFor();
    await row.getByRole('link').click();
    await h.press('Watch again');
    await h.button('Snooze').waitFor();
    await h.menu('More', 'Delete');
    await h.press('Delete', h.dialog);
    await h.see('No alerts yet');
    noFaults();
  });
});

inBrowser('a deletion by question', () => {
  it('counts the events, asks for their number, and becomes a receipt', async () => {
    await h.open('settings/deletions');
    await h.see('No events have been deleted.');
    await h.press('Delete events');
    expect(await h.button('Count events').isDisabled()).toBe(true);
    await h.page.getByRole('combobox', { name: 'Events', exact: true }).click();
    await h.page.getByRole('option', { name: 'signed up', exact: true }).click();
    await h.page.keyboard.press('Escape');
    await h.press('Count events');
    const preview = h.page.getByRole('region', { name: 'Preview' });
    await preview
      .getByRole('status')
      .filter({ hasText: /^92\s*events of 1 person/ })
      .waitFor();
    await h.press('Add a filter');
    await preview.waitFor({ state: 'detached' });
    await h.type('Property', 'plan');
    await h.page.getByRole('combobox', { name: 'Values' }).click();
    await h.page.keyboard.type('pro');
    await h.page.keyboard.press('Enter');
    await h.press('Count events');
    await h.press('Delete 92 events');
    const sure = h.dialog.getByRole('button', { name: 'Delete 92 events' });
    await typeInto(h.field('Number of events', h.dialog), '91');
    expect(await sure.isDisabled()).toBe(true);
    await typeInto(h.field('Number of events', h.dialog), '92');
    await sure.click();
    await h.see('Waiting for the next run');
    await h
      .table('The request')
      .getByRole('row', { name: /^Selected 92 events$/ })
      .waitFor();
    await h
      .table('The request')
      .getByRole('row', { name: /^Filters Yes/ })
      .waitFor();
    await h.press('All requests');
    await h
      .table('Deletion requests')
      .getByRole('row', { name: /92 events selected, signed up/ })
      .waitFor();
    noFaults();
  });

  it('removes properties from events that stay', async () => {
    await h.press('Delete events');
    await h.pick('Properties of events');
    await h.page.getByRole('combobox', { name: 'Properties to remove' }).click();
    await h.page.keyboard.type('secret');
    await h.page.keyboard.press('Enter');
    await h.press('Count events');
    const events = numberOf(await h.page.getByRole('region', { name: 'Preview' }).getByRole('status').innerText());
    await h.press(`Clean ${events} events`);
    await typeInto(h.field('Number of events', h.dialog), String(events));
    await h.press(`Clean ${events} events`, h.dialog);
    await h
      .table('The request')
      .getByRole('row', { name: /^Removed properties secret$/ })
      .waitFor();
    noFaults();
  });
});

inBrowser('these pages', () => {
  it('are accessible in both schemes, fit a phone, and run no text', async () => {
    const rules = {
      groups: [{ properties: [], rollout_percentage: 50 }],
      multivariate: {
        variants: [
          { key: hostileName, rollout_percentage: 50 },
          { key: 'b', rollout_percentage: 50 },
        ],
      },
    };
    const made = await acting.scene.call('POST', 'feature_flags', {
      body: { key: 'x', name: hostileName, filters: rules },
    });
    const { results } = await h.ask<{ results: { id: number }[] }>('insights');
    const threshold = { configuration: { type: 'absolute', bounds: { upper: 3 } } };
    const alert = await acting.scene.call('POST', 'alerts', {
      body: { name: hostileName, insight: results[0]?.id, threshold },
    });
    const [flagId, alertId] = [made, alert].map(({ body }) => (body as { id: number }).id);
    const found: string[] = [];
    await inEveryForm(h, async () => {
      for (const path of [
        ...['flags', 'flags/new', `flags/${flagId}`, `flags/${flagId}?tab=subjects`, `flags/${flagId}?tab=calls`],
        ...['alerts', `alerts/${alertId}`, `alerts/${alertId}?tab=checks`, `alerts/new`],
        ...['settings/deletions', 'settings/deletions?new=true'],
      ]) {
        await h.open(path);
        await h.page.waitForTimeout(600);
        found.push(...(await faultsOf(h)));
      }
    });
    expect(found).toEqual([]);
    noFaults();
  }, 240_000);
});
