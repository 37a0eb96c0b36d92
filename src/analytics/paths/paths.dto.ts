import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../asking/insight-page.dto.js';

export class PathEdgeDto {
  @ApiProperty({ description: 'The place in the path and the item.', example: '1_/' })
  source: string;

  @ApiProperty({ example: '2_/pricing' })
  target: string;

  @ApiProperty({ type: 'integer', description: 'Persons who went from the source to the target.', example: 2 })
  value: number;

  @ApiProperty({ description: 'Milliseconds from source to target, averaged over all occurrences.', example: 60000 })
  average_conversion_time: number;
}

export class PathDto extends InsightDto {
  @ApiProperty({ enum: ['path'] })
  kind: string;

  @ApiProperty({ type: [PathEdgeDto], description: 'Sorted by value descending, source, target.' })
  edges: PathEdgeDto[];
}
