import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  NotContains,
} from 'class-validator';
import { UserDto } from '../kernel/access/user.dto.js';
import { ListOf } from '../platform/http/list-of.js';
import { asProperty } from '../platform/fields/schema.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { PageQuery } from '../platform/http/page-query.dto.js';
import { insightFilters } from '../filters/reading/filter.schemas.js';
import { maxTextLength } from '../filters/reading/leaf-values.js';
import { urlMatchings, type UrlMatching } from '../filters/actions/page-and-element.js';
import { maxStepFilters, maxSteps, maxStepsLength } from '../filters/actions/steps.js';

const optionalText = (name: string, maxLength: number, description: string, example: string | null) =>
  ((target, key) => {
    ApiPropertyOptional({ type: String, nullable: true, maxLength, description, example })(target, key);
    IsOptional()(target, key);
    NotContains('\0', { message: `${name} must not contain NUL characters` })(target, key);
    MaxLength(maxLength, { message: `${name} must have at most ${maxLength} characters` })(target, key);
    IsString({ message: `${name} must be text` })(target, key);
  }) as PropertyDecorator;

/** A step without any field matches every event. */
export class ActionStepBody {
  @optionalText('event', 400, 'The name of the event; any event by default.', '$pageview')
  event?: string | null;

  @ApiPropertyOptional(
    asProperty(insightFilters, {
      description: 'Filters on the event, its person or cohorts: a list (all of which must hold) or a group.',
      example: [{ type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }],
    }),
  )
  @IsOptional()
  properties?: unknown;

  @optionalText('url', maxTextLength, 'The address of the page, `$current_url`.', 'https://shop.example.test/checkout')
  url?: string | null;

  @ApiPropertyOptional({
    type: String,
    enum: [...urlMatchings],
    default: 'contains',
    description:
      'How `url` is compared. contains: it is a part of the address, in which `%` stands for any text; regex: RE2. Upper and lower case differ.',
    example: 'contains',
  })
  @IsOptional()
  @IsIn(urlMatchings, { message: `url_matching must be one of ${urlMatchings.join(', ')}` })
  url_matching?: UrlMatching | null;

  @optionalText('href', maxTextLength, 'The link of the clicked element, or of an element around it.', '/pricing')
  href?: string | null;

  @optionalText('text', maxTextLength, 'The text of the clicked element, or of an element around it.', 'Buy now')
  text?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    enum: [null],
    description: 'Must be null: elements are not matched by CSS selectors.',
    example: null,
  })
  @IsOptional()
  @IsIn([null, ''], {
    message:
      'selector is not supported, because events are stored without their page: use text, href or a filter on a property',
  })
  selector?: string | null;
}

export class CreateActionBody {
  @ApiProperty({ minLength: 1, maxLength: 400, example: 'Checkout' })
  @IsDefined()
  @IsString({ message: 'name must be text' })
  @Length(1, 400, { message: 'name must have 1 to 400 characters' })
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: 1000, nullable: true, example: '' })
  @IsOptional()
  @IsString({ message: 'description must be text' })
  @MaxLength(1000, { message: 'description must have at most 1000 characters' })
  description?: string | null;

  @ApiProperty({
    type: [ActionStepBody],
    minItems: 1,
    maxItems: maxSteps,
    description:
      'An event matches the action if it matches one step, and a step if all that the step says holds. ' +
      `At most ${maxSteps} steps, ${maxStepFilters} filters (\`url\` counts as one, \`href\` as two, \`text\` as three) and ${maxStepsLength} characters of JSON.`,
    example: [{ event: '$pageview', url: '/checkout', url_matching: 'contains' }],
  })
  @IsDefined()
  @IsArray({ message: 'steps must be a list' })
  @ArrayMinSize(1, { message: 'steps must have at least one step' })
  @ArrayMaxSize(maxSteps, { message: `steps must have at most ${maxSteps} steps` })
  @IsObject({ each: true, message: 'steps must be a list of objects such as {"event": "signed up"}' })
  @ListOf(ActionStepBody)
  steps: ActionStepBody[];
}

export class ActionStepDto {
  @ApiProperty({ type: String, nullable: true, description: 'Null stands for any event.', example: '$pageview' })
  event: string | null;

  @ApiProperty(asProperty(insightFilters, { description: 'The filters as they were sent.', example: [] }))
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

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'The user of the key that made the action.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;
}

@SentBackAs(ActionDto)
export class UpdateActionBody extends PartialType(CreateActionBody) {}

export class ActionsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only actions whose name contains this text, in any case.', example: 'check' })
  @IsOptional()
  @IsString({ message: 'search must be given once' })
  search?: string;
}
