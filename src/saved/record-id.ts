import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../platform/errors/problem.js';
import { readSmallId } from '../platform/values/ids.js';
import { idOfShortId } from '../platform/values/short-id.js';
import { insightRoute } from '../kernel/identity/person-ref.js';

export type SavedKind = 'insight' | 'dashboard' | 'annotation' | 'alert';

export const noRecord = (kind: SavedKind, id: number | string): Problem => notFound(`there is no ${kind} ${id}`);

/** Text that cannot be an id gets the same answer as an unknown id. */
const asId = (kind: SavedKind): PipeTransform<string, number> => ({
  transform: (text) => {
    const id = readSmallId(text) ?? (kind === 'insight' ? idOfShortId(text) : null);
    if (id !== null) return id;
    const route = kind === 'insight' ? insightRoute(text) : null;
    throw route === null ? noRecord(kind, text) : notFound(`there is no insight ${text}: did you mean ${route}?`);
  },
});

export const RecordId = (kind: SavedKind): ParameterDecorator => Param('id', asId(kind));

export const RecordIdParam = (kind: SavedKind): MethodDecorator =>
  ApiParam({ name: 'id', description: `The id of the ${kind}.`, schema: { type: 'integer' } });
