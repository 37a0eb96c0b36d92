import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { PageDto } from '../common/pagination/page.js';
import { ActivityEntryDto } from './activity.dto.js';

const ActivityPage = PageDto(ActivityEntryDto);

/** Documents what `sendActivity` answers. */
export const ApiActivityResponse = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ActivityPage),
    ApiOkResponse({
      description: 'A page of entries, newest first; CSV contains all entries.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ActivityPage) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );
