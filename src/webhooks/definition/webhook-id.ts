import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';

export const noWebhook = (id: number | string): Problem => notFound(`there is no webhook ${id}`);

export const noDelivery = (id: string): Problem => notFound(`the webhook has no delivery ${id}`);

/** Answers text that cannot be an id of a webhook as an unknown id is answered. */
const asWebhookId: PipeTransform<string, number> = {
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noWebhook(text);
    return id;
  },
};

export const WebhookId = (): ParameterDecorator => Param('id', asWebhookId);

export const WebhookIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the webhook.', schema: { type: 'integer' } });
