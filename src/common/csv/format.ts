import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

export const formats = ['json', 'csv'] as const;

export class FormatQuery {
  @ApiPropertyOptional({ enum: formats, default: 'json', description: 'csv streams every matching record.' })
  @IsIn(formats, { message: 'format must be json or csv' })
  format: (typeof formats)[number] = 'json';
}
