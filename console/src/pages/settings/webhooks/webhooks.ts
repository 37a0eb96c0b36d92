import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendJson } from '../../../api/client';
import { type components } from '../../../api/schema';
import { notifyDone, notifyProblem } from '../../../ui/notify';

export type Webhook = components['schemas']['WebhookDto'];
export type Delivery = components['schemas']['DeliveryDto'];
export type Kind = Webhook['kinds'][number];

export const webhooksAddress = (projectId: number): string => `/api/projects/${projectId}/webhooks`;

/** What is read again after each change: the state of a webhook depends on its deliveries. */
export const webhookQueries = ['webhooks', 'webhook-deliveries'] as const;

/** A message that is sent at once. The answer says what became of it. */
export const useSending = (what: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (address: string) => sendJson<Delivery>('POST', address),
    onError: notifyProblem,
    onSuccess: async (delivery) => {
      const { status, error, response_status: answer } = delivery;
      if (status === 'waiting') notifyDone(`${what} is tried at once.`);
      // A message that was delivered before keeps this status when the receiver refuses it now.
      else if (error !== null) notifyProblem(new Error(`${what} was not accepted: ${error}`));
      else notifyDone(`${what} is delivered: the receiver answered with status ${answer}.`);
      await Promise.all(webhookQueries.map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
};
