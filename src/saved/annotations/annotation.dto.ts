import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { field, once } from '../../platform/fields/field.js';
import { DeletedField, DeletedProperty } from '../../platform/http/deleted-field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery } from '../../platform/http/page.dto.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { annotationScopes, type AnnotationScope } from './annotation.entity.js';

const creationTypes = ['USR', 'GIT'] as const;
const id = { min: 1, max: 2 ** 31 - 1, nullable: true } as const;

export class CreateAnnotationBody {
  @BodyField(
    field.text({
      required: true,
      min: 1,
      max: 8192,
      withoutNul: true,
      description: 'The text that charts show.',
      example: 'Release 2.0',
    }),
  )
  content: string;

  @BodyField(
    field.text({
      nullable: true,
      max: 100,
      description:
        'The date or moment, ISO 8601; a date is the beginning of the day in the time zone of the project. Null: now.',
      example: '2026-01-08T10:00:00.000Z',
    }),
  )
  date_marker?: string | null;

  @BodyField(
    field.choice(annotationScopes, {
      description:
        'Which charts show it: those of the project, of the dashboard `dashboard_id`, or of the saved question `dashboard_item`. ' +
        'By default, what the ids say.',
      example: 'project',
    }),
  )
  scope?: AnnotationScope | null;

  @BodyField(field.jsonInteger({ ...id, description: 'A dashboard, for the scope `dashboard`.', example: null }))
  dashboard_id?: number | null;

  @BodyField(
    field.jsonInteger({ ...id, description: 'A saved question, for the scope `dashboard_item`.', example: null }),
  )
  dashboard_item?: number | null;

  @BodyField(
    field.choice(creationTypes, { fallback: 'USR', description: 'USR: a user; GIT: a program.', example: 'USR' }),
  )
  creation_type?: (typeof creationTypes)[number] | null;
}

@ApiExtraModels(UserDto)
export class AnnotationDto {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Release 2.0' })
  content: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  date_marker: string;

  @ApiProperty({ enum: [...annotationScopes], example: 'project' })
  scope: AnnotationScope;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  dashboard_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  dashboard_item: number | null;

  @ApiProperty({ enum: [...creationTypes], example: 'USR' })
  creation_type: string;

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'The user of the key that made it.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  updated_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(AnnotationDto, ['updated_at'])
export class UpdateAnnotationBody extends PartialType(CreateAnnotationBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class AnnotationsQuery extends PageQuery {
  @QueryParam(field.text({ says: once, description: 'Only those with this text, in any case.', example: 'release' }))
  search?: string;

  @QueryParam(field.choice(annotationScopes, { description: 'Only those of this scope.', example: 'project' }))
  scope?: AnnotationScope;

  @QueryParam(field.text({ says: once, description: 'Only from this date or moment on.', example: '2026-01-01' }))
  date_from?: string;

  @QueryParam(
    field.text({ says: once, description: 'Only up to this date or moment, included.', example: '2026-01-31' }),
  )
  date_to?: string;
}
