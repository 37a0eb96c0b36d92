import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DeliveryDto } from '../../src/webhooks/deliveries/delivery.dto.js';
import { type WebhookDto } from '../../src/webhooks/webhook.dto.js';
import { importLines, personLine } from '../support/import.js';
import { signedIn } from '../support/signed-in.js';
import { TestReceiver, verify } from '../support/webhooks/receiver.js';
import { hasBrowser } from '../support/browser.js';
import {
  faultsOf,
  inEveryForm,
  openActing,
  serviceWithReceivers,
  signIn,
  type Acting,
  type ActingScene,
} from './acting-scene.js';
import { type Hands } from './walk/hands.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let acting: Acting;
let h: Hands;
let scene: ActingScene;
let receiver: TestReceiver;
let buyers: number;

const hostilePath = 'x"><img src=x onerror=window.__hostile=1>';

beforeAll(async () => {
  receiver = await TestReceiver.start();
  acting = await openActing(serviceWithReceivers());
  ({ hands: h, scene } = acting);
  buyers = await scene.buyers();
}, 120_000);
afterAll(async () => {
  await acting.stop();
  await receiver.stop();
});
beforeEach(() => {
  acting.visitor.faults.length = 0;
});

const noFaults = (): void => expect(acting.visitor.faults.splice(0)).toEqual([]);

const only = async (): Promise<WebhookDto> => {
  const { results } = await h.ask<{ results: WebhookDto[] }>('webhooks');
  expect(results).toHaveLength(1);
  return results[0] as WebhookDto;
};

const deliveriesOf = async ({ id }: WebhookDto): Promise<readonly DeliveryDto[]> =>
  (await h.ask<{ results: DeliveryDto[] }>(`webhooks/${id}/deliveries`)).results;

/** Each delivery as the drawer shows it: what was sent, its status, and its attempts. */
const drawn = async (): Promise<string[]> => {
  const table = h.table('Deliveries');
  await table.locator('tbody tr').first().waitFor();
  const rows = await table.locator('tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
  return cells.map(([what = '', status = '', attempts = '']) =>
    [what.split('\n')[0], status.replaceAll(/\s+/g, ' '), attempts].join(' | '),
  );
};

const fields = async (address: string, batchSize: string): Promise<void> => {
  await h.fill('Receiver URL', address, h.dialog);
  await h.fill('Batch size', batchSize, h.dialog);
};

inBrowser('the page of webhooks', () => {
  it('shows what the service says about a new webhook at the field that it is about', async () => {
    await h.open('settings/webhooks');
    await h.see('No webhooks yet');
    await h.press('New webhook');
    const complaint = (text: string) => h.dialog.getByText(text, { exact: true });
    const all = h.dialog.getByRole('radio', { name: 'All, including future ones' });
    expect(await all.isChecked()).toBe(false);
    await h.press('Create webhook', h.dialog);
    await complaint('Enter an address').waitFor();
    await fields('ftp://crm.example.test', '100');
    await h.press('Create webhook', h.dialog);
    await h.dialog.getByText(/begins with https/).waitFor();
    await fields(receiver.url, '1001');
    await h.press('Create webhook', h.dialog);
    await complaint('Must be an integer from 1 to 1000').waitFor();
    await fields(receiver.url, '2');
    await h.dialog.getByRole('checkbox', { name: 'Who enters' }).uncheck();
    await h.dialog.getByRole('checkbox', { name: 'Who leaves' }).uncheck();
    await h.press('Create webhook', h.dialog);
    await complaint('Choose at least one').waitFor();
    await h.dialog.getByRole('checkbox', { name: 'Who enters' }).check();
    await h.press('Create webhook', h.dialog);
    await complaint('Choose at least one cohort').waitFor();
    expect(acting.visitor.faults.splice(0)).toHaveLength(5);
  });

  it('makes it, and shows its secret once, with which the receiver verifies the test', async () => {
    await h.choose('Cohorts whose changes are sent', 'Buyers', h.dialog);
    await h.page.keyboard.press('Escape');
    await h.press('Create webhook', h.dialog);
    await h.press('Copy', h.dialog);
    const secret = await h.page.evaluate<string>('navigator.clipboard.readText()');
    expect(await h.dialog.getByLabel('Secret').innerText()).toBe(secret);
    await h.page.keyboard.press('Escape');
    await h.press('I have stored it');
    await h.dialog.waitFor({ state: 'hidden' });
    expect(await only()).toMatchObject({ url: receiver.url, cohorts: [buyers], kinds: ['entered'], batch_size: 2 });
    await h.see('Buyers');
    await h.see('who enters, up to 2 changes in a message');
    await h.see('Active');

    await h.press(`Test ${receiver.url}`);
    await h.see('The test is delivered: the receiver answered with status 200.');
    const [message] = await receiver.until(1);
    expect(message && verify(secret, message)).toMatchObject({ type: 'webhook.test' });
    noFaults();
  });

  it('edits only what was changed, pauses, and goes on', async () => {
    await h.press(`Edit ${receiver.url}`);
    await h.dialog.getByRole('checkbox', { name: 'Who leaves' }).check();
    await h.fill('Batch size', '100', h.dialog);
    const sent = h.page.waitForRequest((request) => request.method() === 'PATCH');
    await h.press('Save', h.dialog);
    expect((await sent).postDataJSON()).toEqual({ kinds: ['entered', 'left'], batch_size: 100 });
    await h.see('who enters and who leaves, up to 100 changes in a message');
    await h.press(`Pause ${receiver.url}`);
    await h.see('Paused');
    expect(await only()).toMatchObject({ paused: true, paused_reason: null });
    await h.press(`Resume ${receiver.url}`);
    await h.see('Active');
    expect(await only()).toMatchObject({ paused: false });
    noFaults();
  });

  it('lists the deliveries as the interface does, and sends one again', async () => {
    await scene.add(buyers, 'bob', 'cy');
    await receiver.until(2);
    await h.press('Deliveries');
    await h.page.waitForURL(/webhook=\d+/);
    const ok = 'Delivered Answered with status 200';
    await h.dialog.getByText('2 changes of Buyers').waitFor();
    expect(await drawn()).toEqual([`2 changes of Buyers | ${ok} | 1`, `Test | ${ok} | 1`]);
    const [newest] = await deliveriesOf(await only());
    await h.press(`Replay ${newest?.id}`, h.dialog);
    await h.see('The message is delivered: the receiver answered with status 200.');
    const messages = await receiver.until(3);
    expect(messages[2]?.id).toBe(messages[1]?.id);
    await h.dialog.getByRole('cell', { name: '2', exact: true }).waitFor();
    expect((await drawn())[0]).toBe(`2 changes of Buyers | ${ok} | 2`);
    noFaults();
  });

  it('says what the receiver answered when it refuses a message, and filters by status', async () => {
    receiver.answering = () => 500;
    const [newest] = await deliveriesOf(await only());
    await h.press(`Replay ${newest?.id}`, h.dialog);
    await h.see(/^The message was not accepted: .*500/);
    await h.page.keyboard.press('Escape');
    await h.dialog.waitFor({ state: 'hidden' });
    await h.press(`Test ${receiver.url}`);
    await h.see(/^The test was not accepted: .*500/);
    await scene.remove(buyers, 'bob');
    await h.see('Failing');
    await h.page
      .getByRole('status')
      .filter({ hasText: /500.*The message is tried again in .*the webhook is paused/ })
      .waitFor();
    await h.press('Deliveries');
    await h.pick('Waiting', h.dialog);
    await h.page.waitForURL(/status=waiting/);
    await h.dialog.getByText('1 change of Buyers').waitFor();
    expect(await drawn()).toEqual([expect.stringMatching(/^1 change of Buyers \| Waiting .*500.* \| \d+$/)]);
    await h.dialog.getByText(/^next /).waitFor();
    await h.pick('Failed', h.dialog);
    await h.dialog.getByRole('cell', { name: /^Test/ }).waitFor();
    await h.pick('Dropped', h.dialog);
    await h.see('No delivery has this status.');
    receiver.answering = () => 200;
    await h.pick('Waiting', h.dialog);
    await h.dialog
      .getByRole('button', { name: /^Replay/ })
      .first()
      .click();
    await h.see('The message is tried at once.');
    await h.see('No delivery has this status.');
    await h.press('Close the deliveries');
    await h.see('Active');
    noFaults();
  }, 60_000);

  it('says why the service has paused a webhook', async () => {
    receiver.answering = () => 410;
    await scene.add(buyers, 'bob');
    await h.see(/The receiver answered 410/);
    await h.see('Paused');
    const { paused_reason: reason } = await only();
    await h.see(reason ?? 'none');
    receiver.answering = () => 200;
    noFaults();
  });

  it('is accessible in both schemes, fits a phone, and runs no text', async () => {
    const { id } = await scene.webhook({ url: `https://crm.example.com/${encodeURI(hostilePath)}`, paused: true });
    const first = (await h.ask<{ results: WebhookDto[] }>('webhooks')).results.find((one) => one.id !== id);
    const found: string[] = [];
    await inEveryForm(h, async () => {
      await h.open('settings/webhooks');
      found.push(...(await faultsOf(h)));
      await h.press('New webhook');
      found.push(...(await faultsOf(h)));
      await h.open(`settings/webhooks?webhook=${first?.id}`);
      await h.table('Deliveries').waitFor();
      found.push(...(await faultsOf(h)));
    });
    expect(found).toEqual([]);
    noFaults();
    await scene.call('DELETE', `webhooks/${id}`);
  }, 120_000);

  it('sends the members of a cohort in the format of a product, with a receipt, and again on request', async () => {
    const before = receiver.messages.length;
    const address = receiver.url.replace('hook', 'mixpanel');
    const action = (message: { readonly text: string } | undefined): string =>
      (JSON.parse(message?.text ?? '{}') as { action?: string }).action ?? '';
    receiver.writing = (message, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ action: action(message), status: 'success' }));
      return null;
    };
    await h.open('settings/webhooks');
    await h.press('New webhook');
    await h.choose('Receiver', 'Mixpanel cohort sync, which many products accept', h.dialog);
    await h.fill('Receiver URL', address, h.dialog);
    await h.dialog.getByRole('radio', { name: 'These' }).check();
    await h.choose('Cohorts whose changes are sent', 'Buyers', h.dialog);
    await h.page.keyboard.press('Escape');
    await h.choose('Identifier', 'a property', h.dialog);
    await h.type('Property that identifies persons', 'name', h.dialog);
    await h.dialog.getByRole('combobox', { name: 'Properties', exact: true }).click();
    await h.page.keyboard.type('plan');
    await h.page.keyboard.press('Enter');
    await h.page.keyboard.press('Tab');
    await h.pick('User and password', h.dialog);
    await h.field('User', h.dialog).click();
    await h.page.keyboard.type('kohort');
    await h.dialog.getByLabel('Password', { exact: true }).click();
    await h.page.keyboard.type('s3cret');
    await h.press('Create webhook', h.dialog);
    await h.press('Copy', h.dialog);
    await h.page.keyboard.press('Escape');
    await h.press('I have stored it');
    await h.see(/^Mixpanel, by name with plan · /);
    const [first] = (await receiver.until(before + 1)).slice(before);
    expect(first?.headers.authorization).toBe(`Basic ${Buffer.from('kohort:s3cret').toString('base64')}`);
    expect(action(first)).toBe('members');
    const { results } = await h.ask<{ results: WebhookDto[] }>('webhooks');
    const made = results.find(({ url }) => url === address);
    expect(made).toMatchObject({ identifier: { property: 'name' }, properties: ['plan'], credentials: 'basic' });

    await h.press(`Edit ${address}`);
    await h.dialog.getByText(/The service has a user and a password/).waitFor();
    await h.fill('Batch size', '500', h.dialog);
    const sent = h.page.waitForRequest((request) => request.method() === 'PATCH');
    await h.press('Save', h.dialog);
    expect((await sent).postDataJSON()).toEqual({ batch_size: 500 });

    await h.press(`Send all members again to ${address}`);
    await h.press('Resend', h.dialog);
    await h.see('All members are sent again.');
    await receiver.until(before + 2);
    await h.open(`settings/webhooks?webhook=${made?.id}`);
    await h.dialog
      .getByText(/members of Buyers, page 1 of 1/)
      .nth(1)
      .waitFor();
    await scene.call('DELETE', `webhooks/${made?.id}`);
    receiver.writing = null;
    noFaults();
  }, 60_000);

  it('tells of notices only, if nothing else is chosen', async () => {
    await h.open('settings/webhooks');
    await h.press('New webhook');
    const address = receiver.url.replace('hook', 'notices');
    await h.fill('Receiver URL', address, h.dialog);
    await h.dialog.getByRole('checkbox', { name: 'Changes of cohorts' }).uncheck();
    await h.press('Create webhook', h.dialog);
    await h.dialog.getByText('Choose what is sent').waitFor();
    await h.dialog.getByRole('checkbox', { name: 'Alerts that fire and resolve' }).check();
    await h.dialog.getByRole('checkbox', { name: 'Quotas that are nearly used up' }).check();
    await h.press('Create webhook', h.dialog);
    await h.press('Copy', h.dialog);
    await h.page.keyboard.press('Escape');
    await h.press('I have stored it');
    await h.see('Alerts that fire and resolve · Quotas that are nearly used up');
    const { results } = await h.ask<{ results: WebhookDto[] }>('webhooks');
    const made = results.find(({ url }) => url === address);
    expect(made?.events).toEqual(['alert.fired', 'alert.resolved', 'quota.near']);
    await scene.call('DELETE', `webhooks/${made?.id}`);
    expect(acting.visitor.faults.splice(0)).toHaveLength(1);
  });

  it('tells of persons, and of events that match an action', async () => {
    const steps = [{ event: 'paid' }];
    const { body } = await scene.call('POST', 'actions', { body: { name: 'Large payment', steps } });
    const action = (body as { id: number }).id;
    const address = receiver.url.replace('hook', 'persons');
    await h.open('settings/webhooks');
    await h.press('New webhook');
    await h.fill('Receiver URL', address, h.dialog);
    await h.dialog.getByRole('checkbox', { name: 'Changes of cohorts' }).uncheck();
    await h.dialog.getByRole('checkbox', { name: 'New persons' }).check();
    await h.dialog.getByRole('checkbox', { name: 'Events that match an action' }).check();
    await h.press('Create webhook', h.dialog);
    await h.dialog.getByText('Choose an action').waitFor();
    await h.type('Action', 'Large', h.dialog);
    await h.press('Create webhook', h.dialog);
    await h.press('Copy', h.dialog);
    await h.page.keyboard.press('Escape');
    await h.press('I have stored it');
    await h.see('New persons · Events that match Large payment');
    const made = (await h.ask<{ results: WebhookDto[] }>('webhooks')).results.find(({ url }) => url === address);
    expect(made).toMatchObject({ events: ['person.created', 'action.matched'], action });
    await importLines(acting.service, scene.projectId, [personLine('fay', {})]);
    await h.open(`settings/webhooks?webhook=${made?.id}`);
    await h.dialog.getByText('1 new person').waitFor();
    await h.press('Close the deliveries');

    await h.press(`Edit ${address}`);
    await h.dialog.getByRole('checkbox', { name: 'Events that match an action' }).uncheck();
    const sent = h.page.waitForRequest((request) => request.method() === 'PATCH');
    await h.press('Save', h.dialog);
    expect((await sent).postDataJSON()).toEqual({ events: ['person.created'], action: null });
    await h.see('Webhook saved.');
    await scene.call('DELETE', `webhooks/${made?.id}`);
    expect(acting.visitor.faults.splice(0)).toHaveLength(1);
  });

  it('deletes one after a question', async () => {
    await h.open('settings/webhooks');
    await h.press(`Delete ${receiver.url}`);
    await h.press('Cancel', h.dialog);
    expect(await only()).toBeDefined();
    await h.press(`Delete ${receiver.url}`);
    await h.press('Delete', h.dialog);
    await h.see('No webhooks yet');
    expect((await h.ask<{ results: WebhookDto[] }>('webhooks')).results).toEqual([]);
    noFaults();
  });

  it('is open to administrators only', async () => {
    const { service, visitor } = acting;
    for (const [role, sees] of [
      ['member', 'Your role cannot open this section'],
      ['viewer', 'Your role cannot open this section'],
      ['admin', 'No webhooks yet'],
    ] as const) {
      await signIn(visitor, service, await signedIn(service, { roles: { [scene.projectId]: role } }));
      await h.open('settings/webhooks');
      await h.see(sees);
      expect(await h.button('New webhook').isVisible()).toBe(role === 'admin');
    }
    noFaults();
  });
});
