import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { BodyField, QueryParam } from '../platform/http/field-decorators.js';
import { field, once } from '../platform/fields/field.js';
import { tagsField } from '../platform/fields/tags.js';
import { asProperty } from '../platform/fields/schema.js';
import { DeletedField, DeletedProperty } from '../platform/http/deleted-field.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { PageQuery } from '../platform/http/page.dto.js';
import { plainFilters } from '../filters/reading/filter-fields.js';
import { maxTextLength } from '../filters/reading/leaf.js';
import { urlMatchings, type UrlMatching } from '../filters/actions/page-and-element.js';
import { maxStepFilters, maxSteps, maxStepsLength } from '../filters/actions/steps.js';

const optionalText = (max: number, description: string, example: string | null) =>
  field.text({ nullable: true, max, withoutNul: true, description, example });

/** A step without any field matches every event. */
export class ActionStepBody {
  @BodyField(optionalText(400, 'The name of the event; any event by default.', '$pageview'))
  event?: string | null;

  @BodyField(
    field.any({
      schema: plainFilters,
      description: 'Filters on the event, its person or cohorts: a list (all of which must hold) or a group.',
      example: [{ type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }],
    }),
  )
  properties?: unknown;

  @BodyField(
    optionalText(maxTextLength, 'The address of the page, `$current_url`.', 'https://shop.example.test/checkout'),
  )
  url?: string | null;

  @BodyField(
    field.choice(urlMatchings, {
      fallback: 'contains',
      description:
        'How `url` is compared. contains: it is a part of the address, in which `%` stands for any text; regex: RE2. Upper and lower case differ.',
      example: 'contains',
    }),
  )
  url_matching?: UrlMatching | null;

  @BodyField(optionalText(maxTextLength, 'The link of the clicked element, or of an element around it.', '/pricing'))
  href?: string | null;

  @BodyField(optionalText(maxTextLength, 'The text of the clicked element, or of an element around it.', 'Buy now'))
  text?: string | null;

  @BodyField(
    field.any({
      schema: { type: 'string', enum: [null] },
      nullable: true,
      rules: [
        {
          holds: (value) => value === '',
          says: 'is not supported, because events are stored without their page: use text, href or a filter on a property',
        },
      ],
      description: 'Must be null: elements are not matched by CSS selectors.',
      example: null,
    }),
  )
  selector?: unknown;
}

export class CreateActionBody {
  @BodyField(field.text({ required: true, min: 1, max: 400, example: 'Checkout' }))
  name: string;

  @BodyField(field.text({ nullable: true, max: 1000, example: '' }))
  description?: string | null;

  @BodyField(
    field.listOf(ActionStepBody, {
      required: true,
      min: 1,
      max: maxSteps,
      entries: 'must be a list of objects such as {"event": "signed up"}',
      few: 'must have at least one step',
      many: `must have at most ${maxSteps} steps`,
      description:
        'An event matches the action if it matches one step, and a step if all that the step says holds. ' +
        `At most ${maxSteps} steps, ${maxStepFilters} filters (\`url\` counts as one, \`href\` as two, \`text\` as three) and ${maxStepsLength} characters of JSON.`,
      example: [{ event: '$pageview', url: '/checkout', url_matching: 'contains' }],
    }),
  )
  steps: ActionStepBody[];

  @BodyField(tagsField)
  tags?: string[] | null;
}

export class ActionStepDto {
  @ApiProperty({ type: String, nullable: true, description: 'Null stands for any event.', example: '$pageview' })
  event: string | null;

  @ApiProperty(asProperty(plainFilters, { description: 'The filters as they were sent.', example: [] }))
  properties: object;

  @ApiProperty({ type: String, nullable: true, example: '/checkout' })
  url: string | null;

  @ApiProperty({ enum: [...urlMatchings], example: 'contains' })
  url_matching: UrlMatching;

  @ApiProperty({ type: String, nullable: true, example: null })
  href: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  text: string | null;
}

@ApiExtraModels(UserDto)
export class ActionDto {
  @ApiProperty({ type: 'integer', example: 7 })
  id: number;

  @ApiProperty({ example: 'Checkout' })
  name: string;

  @ApiProperty({ example: '' })
  description: string;

  @ApiProperty({ type: [ActionStepDto] })
  steps: ActionStepDto[];

  @ApiProperty({ type: [String], example: ['checkout'] })
  tags: string[];

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'The user of the key that made the action.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(ActionDto)
export class UpdateActionBody extends PartialType(CreateActionBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class ActionsQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: once,
      description: 'Only actions whose name contains this text, in any case.',
      example: 'check',
    }),
  )
  search?: string;
}
