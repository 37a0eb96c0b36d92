import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../shared/insight-page.dto.js';

export class PathEdgeDto {
  @ApiProperty({ description: 'The step of the path and the item.', example: '1_/' })
  source: string;

  @ApiProperty({ example: '2_/pricing' })
  target: string;

  @ApiProperty({
    type: 'integer',
    description: 'Walks from the source to the target: a person who goes the same way in two sessions counts twice.',
    example: 3,
  })
  value: number;

  @ApiProperty({
    type: 'integer',
    description: 'Persons who went from the source to the target: the `count` of the list behind the edge.',
    example: 2,
  })
  persons: number;

  @ApiProperty({ description: 'Milliseconds from the source to the target, averaged over the walks.', example: 60000 })
  average_conversion_time: number;
}

export class PathDto extends InsightDto {
  @ApiProperty({ enum: ['path'] })
  kind: 'path';

  @ApiProperty({ type: [PathEdgeDto], description: 'Sorted by value descending, source, target.' })
  edges: PathEdgeDto[];
}
