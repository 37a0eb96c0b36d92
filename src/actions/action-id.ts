import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../platform/errors/problem.js';
import { readSmallId } from '../platform/values/ids.js';

export const noAction = (id: number | string): Problem => notFound(`there is no action ${id}`);

/** Text that cannot be an id of an action gets the same answer as an unknown id. */
const asActionId: PipeTransform<string, number> = {
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noAction(text);
    return id;
  },
};

export const ActionId = (): ParameterDecorator => Param('id', asActionId);

export const ActionIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the action.', schema: { type: 'integer' } });
