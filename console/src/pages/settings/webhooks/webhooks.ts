import { type Answered } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { notifyDone, notifyProblem } from '../../../ui/notify';
import { useChange } from '../../../ui/use-change';

export type Webhook = Schemas['WebhookDto'];
export type Delivery = Schemas['DeliveryDto'];

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
