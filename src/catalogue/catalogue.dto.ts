import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { BodyField, QueryParam } from '../platform/http/field-decorators.js';
import { type Page, PageDto, PageQuery } from '../platform/http/page.dto.js';
import { tagsField } from '../platform/fields/tags.js';
import { field, once } from '../platform/fields/field.js';

export const propertyKinds = ['event', 'person'] as const;

export type PropertyKind = (typeof propertyKinds)[number];

export class CatalogueQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: once,
      max: 400,
      description: 'Only names that contain this text, in any case.',
      example: 'sign',
    }),
  )
  search?: string;

  @QueryParam(field.boolean({ description: 'Only hidden names; `false`: only the others.', example: false }))
  hidden?: boolean;
}

const kindOfProperty = field.choice(propertyKinds, {
  nullable: false,
  fallback: 'event',
  description: 'Whose properties.',
  example: 'event',
});

export class CataloguePropertiesQuery extends CatalogueQuery {
  @QueryParam(kindOfProperty)
  kind: PropertyKind = 'event';
}

export const maxNameLength = 400;

export class DefineEventBody {
  @BodyField(
    field.text({
      required: true,
      min: 1,
      max: maxNameLength,
      description: 'The name that is described. It stands in the body because a name may have any character.',
      example: 'signed up',
    }),
  )
  name: string;

  @BodyField(field.text({ nullable: true, max: 1000, withoutNul: true, example: 'The form was sent.' }))
  description?: string | null;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: 2 ** 31 - 1,
      says: 'must be the id of a user',
      nullable: true,
      description: 'The id of a user with a key that opens the project; null for no owner.',
      example: null,
    }),
  )
  owner?: number | null;

  @BodyField(
    field.jsonBoolean({
      nullable: true,
      description: 'Lists of names leave hidden ones out; questions and their answers do not.',
      example: false,
    }),
  )
  hidden?: boolean | null;

  @BodyField(tagsField)
  tags?: string[] | null;
}

export class DefinePropertyBody extends DefineEventBody {
  @BodyField(kindOfProperty)
  kind: PropertyKind = 'event';
}

export class UserOfNameDto {
  @ApiProperty({ type: 'integer', example: 5 })
  id: number;

  @ApiProperty({ example: 'Paying customers' })
  name: string;
}

export class UsedByDto {
  @ApiProperty({ type: [UserOfNameDto], description: 'Cohorts whose definition names it.' })
  cohorts: UserOfNameDto[];

  @ApiProperty({ type: [UserOfNameDto], description: 'Saved questions that name it.' })
  insights: UserOfNameDto[];

  @ApiProperty({ type: [UserOfNameDto], description: 'Actions whose steps name it.' })
  actions: UserOfNameDto[];
}

/** A name with its description by the project, and the records that use it. */
@ApiExtraModels(UserDto)
export class DescribedDto {
  @ApiProperty({ example: 'The form was sent.' })
  description: string;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, example: null })
  owner: UserDto | null;

  @ApiProperty({ example: false })
  hidden: boolean;

  @ApiProperty({ type: [String], example: ['checkout'] })
  tags: string[];

  @ApiProperty({
    type: UsedByDto,
    description:
      'At most 20 of each, by id; of the kinds that the key may read (`cohort:read`, `insight:read`, `action:read`).',
  })
  used_by: UsedByDto;
}

export class CatalogueEventDto extends DescribedDto {
  @ApiProperty({ example: 'signed up' })
  name: string;

  @ApiProperty({
    type: 'integer',
    description: 'The number of events of the last 30 days, today included, in UTC.',
    example: 1200,
  })
  volume_30_days: number;

  @ApiProperty({
    format: 'date-time',
    description: 'The time of the earliest event.',
    example: '2026-01-02T10:00:00.000Z',
  })
  first_seen: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The time of the latest event.',
    example: '2026-01-08T10:00:00.000Z',
  })
  last_seen: string;
}

export class CataloguePropertyDto extends DescribedDto {
  @ApiProperty({ example: 'plan' })
  name: string;

  @ApiProperty({ enum: [...propertyKinds], example: 'event' })
  kind: PropertyKind;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of events of the last 30 days that have it; null for a property of persons.',
    example: 1200,
  })
  volume_30_days: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of persons that have it; null for a property of events.',
    example: null,
  })
  persons: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The time of the latest event that has it; null for a property of persons.',
    example: '2026-01-08T10:00:00.000Z',
  })
  last_seen: string | null;

  @ApiProperty({
    type: [String],
    enum: ['boolean', 'number', 'text'],
    description: 'The types of its values. Lists and objects are stored as text.',
    example: ['text'],
  })
  types: string[];
}

export class CataloguePropertiesPageDto extends PageDto(CataloguePropertyDto) {
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description:
      'Properties of events: the first day that the numbers count, in UTC. In a very large project the days are counted one after the other, ' +
      'and a first answer may begin later than 30 days ago. Null for properties of persons.',
    example: '2025-12-10',
  })
  counted_since: string | null;
}

export interface CataloguePropertiesPage extends Page<CataloguePropertyDto> {
  readonly counted_since: string | null;
}
