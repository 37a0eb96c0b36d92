import { ApiProperty } from '@nestjs/swagger';

export class ProjectCostDto {
  @ApiProperty({ type: 'integer', example: 1 })
  project_id: number;

  @ApiProperty({ example: 'Shop' })
  project_name: string;

  @ApiProperty({ type: 'integer', description: 'A question is one statement or several.', example: 1200 })
  statements: number;

  @ApiProperty({
    description:
      'For so long statements kept a processor of ClickHouse busy. One that ended within a second counts its time.',
    example: 61.5,
  })
  cpu_seconds: number;

  @ApiProperty({ type: 'integer', example: 250_000_000 })
  read_rows: number;

  @ApiProperty({ type: 'integer', example: 12_000_000_000 })
  read_bytes: number;
}
