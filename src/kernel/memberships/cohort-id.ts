import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { notFound, type Problem } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';

export const noCohort = (id: number | string): Problem => notFound(`there is no cohort ${id}`);

export const deletedCohort = (id: number): Problem =>
  notFound(`cohort ${id} is deleted: PATCH it with {"deleted": false} to restore it`);

/** Text that cannot be an id of a cohort gets the same answer as an unknown id. */
const asCohortId: PipeTransform<string, number> = {
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noCohort(text);
    return id;
  },
};

export const CohortId = (): ParameterDecorator => Param('id', asCohortId);

export const CohortIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the cohort.', schema: { type: 'integer' } });
