import { QueryParam } from './query-param.js';
import { field } from '../fields/field.js';

export const maxLimit = 1000;
export const maxOffset = 2 ** 31 - 1;

export class PageQuery {
  @QueryParam(field.integer({ min: 1, max: maxLimit, fallback: 100, description: 'Records per page.' }))
  limit: number = 100;

  @QueryParam(field.integer({ min: 0, max: maxOffset, fallback: 0, description: 'Records to skip.' }))
  offset: number = 0;
}

export class CursorQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: 'must be taken from a next or previous link',
      description: 'Taken from `next` or `previous` of another page; determines where the page begins.',
    }),
  )
  cursor?: string;
}
