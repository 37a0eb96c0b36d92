import { isUuid, readSmallId } from '../../../platform/values/ids.js';
import { type DeliveryDto } from '../../../webhooks/deliveries/delivery.dto.js';
import { type WebhookDto } from '../../../webhooks/webhook.dto.js';
import { UsageError, type Command, type CommandContext, type GivenWords } from '../command.js';
import { type Row } from '../output.js';
import { namedProject, projectOption } from '../project-flag.js';
import { withService } from '../running-service.js';

const webhookIn = ({ args: [id] }: GivenWords): number => {
  const webhook = readSmallId(id);
  if (webhook === null) throw new UsageError('name the webhook by its id: "webhooks list" shows it');
  return webhook;
};

const deliveryIn = ({ args: [, id = ''] }: GivenWords): string => {
  if (!isUuid(id)) throw new UsageError('name the delivery by its id, after that of the webhook');
  return id;
};

/** The fields of a delivery that an operator needs. */
const rowOf = ({ id, type, status, attempts, response_status, error, next_attempt_at }: DeliveryDto): Row => ({
  delivery: id,
  type,
  status,
  attempts,
  response_status,
  error,
  next_attempt_at,
});

const post = async (context: CommandContext, command: string, path: string): Promise<Row> => {
  const project = await namedProject(context);
  return withService(context, { project, scopes: ['webhook:write'], command, minutes: 5 }, async (ask) => {
    const answer = await ask(`/api/projects/${project}/webhooks/${path}`, { method: 'POST', body: '{}' });
    return rowOf((await answer.json()) as DeliveryDto);
  });
};

export const webhooksList: Command = {
  name: 'webhooks list',
  usage: 'webhooks list [--project 1]',
  summary: 'list the webhooks of a project, and which of them fail or are paused',
  options: { project: projectOption },
  run: async (context) => {
    const project = await namedProject(context);
    const access = { project, scopes: ['webhook:read' as const], command: 'webhooks list', minutes: 5 };
    return withService(context, access, async (ask) => {
      const answer = await ask(`/api/projects/${project}/webhooks?limit=1000`);
      const { results } = (await answer.json()) as { results: WebhookDto[] };
      return results.map(({ id, url, cohorts, kinds, paused, paused_reason, failing_since }) => ({
        id,
        url,
        cohorts,
        kinds,
        paused,
        paused_reason,
        failing_since,
      }));
    });
  },
};

export const webhooksTest: Command = {
  name: 'webhooks test',
  usage: 'webhooks test 4 [--project 1]',
  summary: 'send a test message to a webhook, and show what its receiver answers',
  arguments: 1,
  options: { project: projectOption },
  check: (given) => void webhookIn(given),
  run: (context) => post(context, 'webhooks test', `${webhookIn(context)}/test`),
};

export const webhooksReplay: Command = {
  name: 'webhooks replay',
  usage: 'webhooks replay 4 0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e [--project 1]',
  summary: 'send a message to a webhook again, with the same id',
  arguments: 2,
  options: { project: projectOption },
  check: (given) => void [webhookIn(given), deliveryIn(given)],
  run: (context) => post(context, 'webhooks replay', `${webhookIn(context)}/deliveries/${deliveryIn(context)}/replay`),
};
