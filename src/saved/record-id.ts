import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../common/errors/problem.js';
import { readSmallId } from '../common/ids.js';

export type SavedKind = 'insight' | 'dashboard';

export const noRecord = (kind: SavedKind, id: number | string): Problem => notFound(`there is no ${kind} ${id}`);

/** Text that cannot be an id gets the same answer as an unknown id. */
const asId = (kind: SavedKind): PipeTransform<string, number> => ({
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noRecord(kind, text);
    return id;
  },
});

export const RecordId = (kind: SavedKind): ParameterDecorator => Param('id', asId(kind));

export const RecordIdParam = (kind: SavedKind): MethodDecorator =>
  ApiParam({ name: 'id', description: `The id of the ${kind}.`, schema: { type: 'integer' } });
