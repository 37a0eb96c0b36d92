import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../../platform/errors/problem.js';
import { isBigId } from '../../platform/values/ids.js';

export const noGroup = (id: string): Problem => notFound(`there is no group ${id}`);

/** Text that cannot be an id of a group gets the same answer as an unknown id. */
const asGroupId: PipeTransform<string, string> = {
  transform: (text) => {
    if (!isBigId(text)) throw noGroup(text);
    return text;
  },
};

export const GroupId = (): ParameterDecorator => Param('id', asGroupId);

export const GroupIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the group.', schema: { type: 'integer' } });
