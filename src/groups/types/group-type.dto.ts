import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { maxTypeIndex } from '../group.dto.js';

export class GroupTypeDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: maxTypeIndex,
    description: 'Given in the order in which types came; it never changes.',
    example: 0,
  })
  group_type_index: number;

  @ApiProperty({ description: 'The name by which events name the type.', example: 'company' })
  group_type: string;

  @ApiProperty({ type: String, nullable: true, example: 'Company' })
  name_singular: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Companies' })
  name_plural: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;
}

const maxNameCharacters = 400;

const shownName = (description: string, example: string) =>
  field.text({ nullable: true, max: maxNameCharacters, withoutNul: true, description, example });

/** The names of one type in the body, which is a list. The other fields of the list that is read may be sent back. */
export const groupTypeNames = field.record(
  {
    group_type_index: field.jsonInteger({ min: 0, max: maxTypeIndex, required: true, example: 0 }),
    name_singular: shownName('How people call one of them. Missing: unchanged; null: none.', 'Company'),
    name_plural: shownName('How people call several. Missing: unchanged; null: none.', 'Companies'),
  },
  { description: 'The names of one type.', ignored: ['group_type', 'created_at'] },
);
