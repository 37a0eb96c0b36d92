import { ApiProperty } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { formatField, type Format } from '../../platform/csv/format.dto.js';
import { CursorQuery } from '../../platform/http/page.dto.js';

export class DistinctIdsQuery extends CursorQuery {
  @QueryParam(formatField)
  format: Format = 'json';
}

export class DistinctIdDto {
  @ApiProperty({ example: 'ada' })
  distinct_id: string;

  @ApiProperty({
    description: 'Whether the id looks as if an SDK generated it for an unknown visitor.',
    example: false,
  })
  looks_generated: boolean;
}
