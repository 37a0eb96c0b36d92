import { field } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { maxReturnPathLength } from './oidc-sign-in.js';

export class SignOnQuery {
  @QueryParam({
    ...field.text({ description: 'The page of the console to open after signing in.', example: '/p/1/live' }),
    schema: { type: 'string', maxLength: maxReturnPathLength },
  })
  return_to?: string;
}
