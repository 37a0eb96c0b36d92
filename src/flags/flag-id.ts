import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../platform/errors/problem.js';
import { readSmallId } from '../platform/values/ids.js';

export const noFlag = (id: number | string): Problem => notFound(`there is no feature flag ${id}`);

/** Text that cannot be an id of a flag gets the same answer as an unknown id. */
const asFlagId: PipeTransform<string, number> = {
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noFlag(text);
    return id;
  },
};

export const FlagId = (): ParameterDecorator => Param('id', asFlagId);

export const FlagIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the flag.', schema: { type: 'integer' } });
