import { type Answered } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { notifyDone, notifyProblem } from '../../../ui/notify';
import { useChange } from '../../../ui/use-change';

export type Webhook = Schemas['WebhookDto'];
export type Delivery = Schemas['DeliveryDto'];

/** The products whose form of messages a webhook can have; every other receiver gets signed messages. */
export const formats: readonly { value: Webhook['format']; label: string }[] = [
  { value: 'standard', label: 'Your own server, signed messages' },
  { value: 'mixpanel', label: 'Mixpanel cohort sync, which many products accept' },
  { value: 'amplitude', label: 'Amplitude' },
  { value: 'segment', label: 'Segment' },
];

export const formatNames: Readonly<Record<Webhook['format'], string>> = {
  standard: 'Standard',
  mixpanel: 'Mixpanel',
  amplitude: 'Amplitude',
  segment: 'Segment',
};

export const formatNotes: Readonly<Record<Exclude<Webhook['format'], 'standard'>, string>> = {
  mixpanel: 'The members are sent in pages, then who enters and leaves, as Mixpanel sends cohorts to a custom webhook.',
  amplitude: 'The first message makes a cohort of the same name in Amplitude; later ones change its members.',
  segment: 'Each person gets an identify call with a trait of the cohort: true for members, false for those who left.',
};

/** Where the products take messages. */
export const addressOf: Readonly<Partial<Record<Webhook['format'], string>>> = {
  amplitude: 'https://amplitude.com/api/3/cohorts',
  segment: 'https://api.segment.io/v1/batch',
};

/** What a receiver can be told of, by groups of events that belong together. */
export const eventChoices: readonly { readonly label: string; readonly events: Webhook['events'] }[] = [
  { label: 'Changes of cohorts', events: ['cohort.changed'] },
  { label: 'New persons', events: ['person.created'] },
  { label: 'Merged persons', events: ['person.merged'] },
  { label: 'Deleted persons', events: ['person.deleted'] },
  { label: 'Events that match an action', events: ['action.matched'] },
  { label: 'Alerts that fire and resolve', events: ['alert.fired', 'alert.resolved'] },
  { label: 'Scheduled dashboards', events: ['dashboard.sent'] },
  { label: 'Finished imports', events: ['import.finished'] },
  { label: 'Finished deletions', events: ['deletion.finished'] },
  { label: 'Quotas that are nearly used up', events: ['quota.near'] },
];

/** Read again after each change: the state of a webhook depends on its deliveries. */
export const refreshes = ['/api/projects/{project_id}/webhooks'] as const;

/** A message that is sent at once. The answer says what became of it. */
export const useSending = (what: string, send: () => Promise<Answered<Delivery>>) =>
  useChange(send, {
    refreshes,
    onDone: ({ status, error, response_status: answer }) => {
      if (status === 'waiting') notifyDone(`${what} is tried at once.`);
      // A message that was delivered before keeps this status when the receiver refuses it now.
      else if (error !== null) notifyProblem(new Error(`${what} was not accepted: ${error}`));
      else notifyDone(`${what} is delivered: the receiver answered with status ${answer}.`);
    },
  });
