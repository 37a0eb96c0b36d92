import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../asking/insight-page.dto.js';

export class LifecycleDto extends InsightDto {
  @ApiProperty({ enum: ['lifecycle'] })
  kind: string;

  @ApiProperty({ example: 'day' })
  interval: string;

  @ApiProperty({ type: [String], example: ['2026-01-01', '2026-01-02'] })
  days: string[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Active at the point they were created in.',
    example: [1, 0],
  })
  new: number[];

  @ApiProperty({ type: 'integer', isArray: true, description: 'Active, and at the point before.', example: [4, 3] })
  returning: number[];

  @ApiProperty({ type: 'integer', isArray: true, description: 'Active again after a point without.', example: [0, 1] })
  resurrecting: number[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Below zero: active at the point before and not at this one.',
    example: [-2, -1],
  })
  dormant: number[];
}
