import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { jsonOrCsv } from '../platform/csv/format.dto.js';
import { PageDto } from '../platform/http/page.dto.js';
import { ActivityEntryDto } from './activity.dto.js';

const ActivityPage = PageDto(ActivityEntryDto);

/** Documents the answers of `sendActivity`. */
export const ApiActivityResponse = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ActivityPage),
    ApiOkResponse({
      ...jsonOrCsv({ $ref: getSchemaPath(ActivityPage) }),
      description: 'A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`.',
    }),
  );
