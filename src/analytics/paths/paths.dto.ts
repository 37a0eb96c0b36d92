import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../asking/insight-page.dto.js';

export class PathEdgeDto {
  @ApiProperty({ description: 'Place in the path and item.', example: '1_/' })
  source: string;

  @ApiProperty({ example: '2_/pricing' })
  target: string;

  @ApiProperty({ type: 'integer', description: 'Persons who went there from the source.', example: 2 })
  value: number;

  @ApiProperty({ description: 'Milliseconds from the source, averaged over all times it was done.', example: 60000 })
  average_conversion_time: number;
}

export class PathDto extends InsightDto {
  @ApiProperty({ enum: ['path'] })
  kind: string;

  @ApiProperty({ type: [PathEdgeDto], description: 'By value descending, source, target.' })
  edges: PathEdgeDto[];
}
