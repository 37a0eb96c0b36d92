import { ApiProperty } from '@nestjs/swagger';

export class SchemaColumnDto {
  @ApiProperty({ example: 'person.created_at' })
  name: string;

  @ApiProperty({ example: 'DateTime64(3)' })
  type: string;

  @ApiProperty({ example: 'When the person was first seen' })
  description: string;
}

export class SchemaTableDto {
  @ApiProperty({ example: 'events' })
  name: string;

  @ApiProperty({ example: 'Everything that happened' })
  description: string;

  @ApiProperty({ type: [SchemaColumnDto] })
  columns: SchemaColumnDto[];
}

export class SchemaPropertyDto {
  @ApiProperty({ example: '$current_url' })
  name: string;

  @ApiProperty({ type: [String], enum: ['text', 'number', 'boolean'], isArray: true, example: ['text'] })
  types: string[];

  @ApiProperty({ type: 'integer', description: 'Events or persons that have it.', example: 120 })
  count: number;
}

export class SchemaPropertiesDto {
  @ApiProperty({ type: [SchemaPropertyDto], description: 'The 1,000 most frequent properties of events.' })
  event: SchemaPropertyDto[];

  @ApiProperty({ type: [SchemaPropertyDto], description: 'The 1,000 most frequent properties of persons.' })
  person: SchemaPropertyDto[];
}

export class SchemaFunctionDto {
  @ApiProperty({ example: 'quantile' })
  name: string;

  @ApiProperty({ enum: ['scalar', 'aggregate', 'window'], example: 'aggregate' })
  kind: string;

  @ApiProperty({ example: 'Computes an approximate quantile of a numeric data sequence.' })
  description: string;
}

export class QuerySchemaDto {
  @ApiProperty({ type: [SchemaTableDto] })
  tables: SchemaTableDto[];

  @ApiProperty({ type: SchemaPropertiesDto })
  properties: SchemaPropertiesDto;

  @ApiProperty({ type: [SchemaFunctionDto] })
  functions: SchemaFunctionDto[];

  @ApiProperty({ format: 'date-time', example: '2026-01-08T12:00:00.000Z' })
  as_of: string;
}

export class TableReadDto {
  @ApiProperty({ description: 'A table of the engine.', example: 'events' })
  table: string;

  @ApiProperty({ type: 'integer', description: 'Rows that the engine would read of it at most.', example: 8192 })
  rows: number;

  @ApiProperty({ type: 'integer', description: 'About how many bytes these rows take.', example: 262144 })
  bytes: number;

  @ApiProperty({ type: 'integer', description: 'The parts of the table in which they are.', example: 1 })
  parts: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows that a reading of all that the project has would read.',
    example: 98304,
  })
  project_rows: number;

  @ApiProperty({ type: 'integer', description: 'The parts of the table with rows of the project.', example: 3 })
  project_parts: number;
}

export class ExplainedDto {
  @ApiProperty({
    description: 'The statement as the engine gets it; its values are in `parameters`.',
    example: 'SELECT …',
  })
  statement: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The bound values of the statement.',
    example: { p1: 'signed up' },
  })
  parameters: Record<string, unknown>;

  @ApiProperty({ type: [String], description: 'The names of the columns of the answer.', example: ['count()'] })
  columns: string[];

  @ApiProperty({ type: 'integer', description: 'Rows that the engine would read at most.', example: 8192 })
  rows: number;

  @ApiProperty({
    type: 'integer',
    description: 'About how many bytes these rows take where they are stored.',
    example: 262144,
  })
  bytes: number;

  @ApiProperty({ type: [TableReadDto], description: 'The same by table. A table that is read twice counts twice.' })
  reads: TableReadDto[];
}
