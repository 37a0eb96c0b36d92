import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { BodyField, QueryParam } from '../platform/http/field-decorators.js';
import { field, once } from '../platform/fields/field.js';
import { asProperty, listSchema } from '../platform/fields/schema.js';
import { tagsField } from '../platform/fields/tags.js';
import { DeletedField, DeletedProperty } from '../platform/http/deleted-field.js';
import { PageQuery } from '../platform/http/page.dto.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { notSupported, rulesSchema } from './definition/read-rules.js';
import { type StoredRules } from './definition/rules.js';

/** A field of the reference product that changes nothing about whom a flag is on for. */
const withoutEffect = field.any({
  schema: { anyOf: [...['string', 'boolean', 'number', 'object'].map((type) => ({ type })), listSchema({})] },
  nullable: true,
  description: 'Has no effect.',
  example: null,
});

/** A field that takes one value only. */
const only = (value: string, instead: string) =>
  field.choice([value, ''], { nullable: true, says: `must be ${value}: ${instead}`, example: value });

export class CreateFlagBody {
  @BodyField(
    field.text({
      required: true,
      min: 1,
      max: 400,
      rules: [{ holds: (key) => /^[\w-]+$/.test(key), says: 'must have letters, digits, - and _ only' }],
      description: 'The name in code. The percentages depend on it: another key is another draw.',
      example: 'new-checkout',
    }),
  )
  key: string;

  @BodyField(
    field.text({
      nullable: true,
      max: 1000,
      withoutNul: true,
      description: 'What the flag is for.',
      example: 'The new checkout',
    }),
  )
  name?: string | null;

  @BodyField(
    field.text({
      nullable: true,
      max: 1000,
      withoutNul: true,
      description: 'Stands in for a `name` that is absent or empty; beside one it has no effect.',
      example: null,
    }),
  )
  description?: string | null;

  @BodyField(field.jsonBoolean({ description: 'False: the flag is off for everyone.', fallback: true }))
  active?: boolean | null;

  @BodyField(
    field.object({
      schema: rulesSchema,
      says: 'must be an object with groups, such as {"groups": [{"properties": [], "rollout_percentage": 100}]}',
      description: 'Whom the flag is on for, and what they get.',
      example: { groups: [{ properties: [], rollout_percentage: 50 }] },
    }),
  )
  filters?: object | null;

  @BodyField(tagsField)
  tags?: string[] | null;

  @BodyField(
    notSupported('percentages depend on the distinct id, so identify a person before you ask, or ask for a group'),
  )
  ensure_experience_continuity?: unknown;

  @BodyField(notSupported('set active to false'))
  archived?: unknown;

  @BodyField(notSupported('every client gets the flag, whatever its tags are'))
  evaluation_tags?: unknown;

  @BodyField(notSupported('every client gets the flag, whatever its context is'))
  evaluation_contexts?: unknown;

  @BodyField(only('all', 'servers and clients get the flag'))
  evaluation_runtime?: string | null;

  @BodyField(only('distinct_id', 'percentages depend on the distinct id'))
  bucketing_identifier?: string | null;

  @BodyField(notSupported('remote_config answers the payload of every flag'))
  is_remote_configuration?: unknown;

  @BodyField(notSupported('payloads are not encrypted'))
  has_encrypted_payloads?: unknown;

  @BodyField(notSupported('change the flag yourself when a number leaves its range'))
  rollback_conditions?: unknown;

  @BodyField(withoutEffect)
  performed_rollback?: unknown;

  @BodyField(withoutEffect)
  creation_context?: unknown;

  @BodyField(withoutEffect)
  analytics_dashboards?: unknown;

  @BodyField(withoutEffect)
  has_enriched_analytics?: unknown;

  @BodyField(withoutEffect)
  last_called_at?: unknown;

  @BodyField(withoutEffect)
  _create_in_folder?: unknown;

  @BodyField(withoutEffect)
  _should_create_usage_dashboard?: unknown;
}

const UserProperty = (description: string): PropertyDecorator =>
  ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, description, example: null });

@ApiExtraModels(UserDto)
export class FlagDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ example: 'new-checkout' })
  key: string;

  @ApiProperty({ example: 'The new checkout' })
  name: string;

  @ApiProperty({ example: true })
  active: boolean;

  @ApiProperty(
    asProperty(rulesSchema, {
      description: 'Whom the flag is on for, and what they get.',
      example: { groups: [{ properties: [], rollout_percentage: 50 }] },
    }),
  )
  filters: StoredRules;

  @ApiProperty({ type: [String], example: ['checkout'] })
  tags: string[];

  @ApiProperty({ type: 'integer', description: 'Grows by one with each change.', example: 3 })
  version: number;

  @ApiProperty({
    description: 'True if the flag is on for a percentage of everyone, and has no variants.',
    example: true,
  })
  is_simple_flag: boolean;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The percentage of a simple flag.',
    example: 50,
  })
  rollout_percentage: number | null;

  @ApiProperty({ example: false })
  ensure_experience_continuity: boolean;

  @ApiProperty({ example: 'all' })
  evaluation_runtime: string;

  @UserProperty('The user of the key that made the flag.')
  created_by: UserDto | null;

  @UserProperty('The user of the key that changed it last.')
  last_modified_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  updated_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(FlagDto)
export class UpdateFlagBody extends PartialType(CreateFlagBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class FlagsQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: once,
      description: 'Only flags whose key or name contains this text, in any case.',
      example: 'check',
    }),
  )
  search?: string;

  @QueryParam(field.boolean({ description: 'Only flags that are active, or that are not.', example: true }))
  active?: boolean;
}

export class LocalEvaluationQuery {
  @QueryParam(field.text({ says: once, description: 'The token of the project.' }))
  token?: string;

  @QueryParam(field.text({ says: once, description: 'Has no effect: the answer always has cohorts.' }))
  send_cohorts?: string;
}
