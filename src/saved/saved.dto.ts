import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { BodyField, QueryParam } from '../platform/http/field-decorators.js';
import { tagsField } from '../platform/fields/tags.js';
import { field, once } from '../platform/fields/field.js';
import { DeletedProperty } from '../platform/http/deleted-field.js';
import { PageQuery } from '../platform/http/page.dto.js';

/** The mark of a user under the name that clients of the reference product have for it. */
export const markField = (name: string) =>
  field.jsonBoolean({
    nullable: true,
    description: `The same as \`favourite\`, which comes before ${name}.`,
    example: false,
  });

export const longestName = 400;

/** The most tiles of a dashboard. */
export const maxTiles = 50;
/** In columns of a grid of twelve. */
export const defaultTileWidth = 6;
/** In rows of the grid, as in the reference product. */
export const defaultTileHeight = 5;

/** The fields that insights and dashboards share, as a caller sends them. */
export class SavedBody {
  @BodyField(field.text({ nullable: true, max: 1000, withoutNul: true, example: '' }))
  description?: string | null;

  @BodyField(
    field.jsonBoolean({
      nullable: true,
      description: 'Whether the user of the key has marked it. Each user has marks of their own.',
      example: false,
    }),
  )
  favourite?: boolean | null;

  @BodyField(tagsField)
  tags?: string[] | null;
}

export class SavedDto {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Weekly active persons' })
  name: string;

  @ApiProperty({ example: '' })
  description: string;

  @ApiProperty({ description: 'Whether the user of the key has marked it.', example: false })
  favourite: boolean;

  @ApiProperty({ type: [String], example: ['checkout'] })
  tags: string[];

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'The user of the key that made it.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  updated_at: string;

  @DeletedProperty()
  deleted: boolean;
}

export class SavedQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: once,
      description: 'Only those whose name contains this text, in any case.',
      example: 'active',
    }),
  )
  search?: string;

  @QueryParam(
    field.boolean({
      description: 'Only those that the user of the key has marked; `false`: the others.',
      example: true,
    }),
  )
  favourite?: boolean;
}
