import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PartialType } from '@nestjs/swagger';
import { QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { CorrelationDto } from '../../analytics/correlation/correlation.dto.js';
import { funnelForms } from '../../analytics/funnel/funnel.dto.js';
import { LifecycleDto } from '../../analytics/lifecycle/lifecycle.dto.js';
import { PathDto } from '../../analytics/paths/paths.dto.js';
import { RetentionDto } from '../../analytics/retention/retention.dto.js';
import { StickinessDto } from '../../analytics/stickiness/stickiness.dto.js';
import { trendsForms } from '../../analytics/trends/trends.dto.js';
import { QueryAnswerDto } from '../../sql/ask/query.dto.js';
import { UserDto } from '../../kernel/access/user.dto.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { DeletedField } from '../../platform/http/deleted-field.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { field, once } from '../../platform/fields/field.js';
import { isFields } from '../../platform/fields/values.js';
import { questionTypes, type QuestionType } from '../questions/question.js';
import { longestName, markField, SavedBody, SavedDto, SavedQuery } from '../saved.dto.js';
import { shortIdOf } from '../../platform/values/short-id.js';

export class SavedQuestionDto {
  @ApiProperty({
    enum: [...questionTypes],
    description:
      'The insight, a question in SQL, or a node that stands for neither: a list, or trends with several formulas.',
    example: 'trends',
  })
  type: QuestionType;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The parameters of the route of that insight (`persons/trends`, `persons/funnel`, …), or the fields of the body of `query`, as they were sent. ' +
      'Without `search`, `limit`, `offset` and `format` of lists of persons.',
    example: { events: [{ id: '$pageview', math: 'dau' }], date_from: '-30d', interval: 'week' },
  })
  params: object;
}

/** A dashboard that shows the insight: its id, or what an answer says of it. */
export type ShownOn = number | { readonly id: number };

const largestId = 2 ** 31 - 1;
const isShownOn = (value: unknown): value is ShownOn => {
  const id = isFields(value) ? value.id : value;
  return Number.isInteger(id) && Number(id) >= 1 && Number(id) <= largestId;
};

export class CreateInsightBody extends SavedBody {
  @BodyField(
    field.text({
      nullable: true,
      max: longestName,
      withoutNul: true,
      description: 'Empty or absent: `derived_name` of the answer stands in for it.',
      example: 'Weekly active persons',
    }),
  )
  name?: string | null;

  @BodyField(field.text({ nullable: true, description: 'Has no effect: it is made from the question.', example: null }))
  derived_name?: string | null;

  @BodyField(
    field.object({
      says: 'must be an object with type and params',
      schema: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: [...questionTypes] },
          params: { type: 'object', additionalProperties: true },
        },
      },
      description:
        'The type of the question and its parameters, which are checked as the route of the question checks them: ' +
        'a fault is a 400 that names `question.params.…`.',
      example: {
        type: 'trends',
        params: { events: [{ id: '$pageview', math: 'dau' }], date_from: '-30d', interval: 'week' },
      },
    }),
  )
  question?: object | null;

  @BodyField(
    field.object({
      says: 'must be a node, such as {"kind": "TrendsQuery", …}',
      schema: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', example: 'TrendsQuery' } },
        additionalProperties: true,
      },
      nullable: true,
      description:
        'In place of `question`: a node as `POST query` takes it. It is kept as it was sent, and ' +
        '`question` is what it stands for here.',
      example: null,
    }),
  )
  query?: object | null;

  @BodyField(markField('favorited'))
  favorited?: boolean | null;

  @BodyField(
    field.list(
      field.any<ShownOn>({
        schema: {
          anyOf: [
            { type: 'integer', minimum: 1, maximum: largestId },
            { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } },
          ],
        },
        rules: [{ holds: isShownOn, says: '' }],
      }),
      {
        nullable: true,
        max: 500,
        says: 'must be a list of ids of dashboards',
        many: 'must have at most 500 entries',
        description:
          'The dashboards that show it, by their ids: each one that does not yet gets a tile at its end, and all others lose theirs.',
        example: [],
      },
    ),
  )
  dashboards?: ShownOn[] | null;
}

export class NamedRecordDto {
  @ApiProperty({ type: 'integer', example: 5 })
  id: number;

  @ApiProperty({ example: 'Growth' })
  name: string;
}

@ApiExtraModels(UserDto)
export class SavedInsightDto extends SavedDto {
  @ApiProperty({ description: 'Follows from the id, and may take its place in addresses.', example: shortIdOf(3) })
  short_id: string;

  @ApiProperty({ description: 'The same as `favourite`.', example: false })
  favorited: boolean;

  @ApiProperty({ type: SavedQuestionDto })
  question: SavedQuestionDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description:
      'The node from which the question was made, as it was sent, or else the one that stands for the question; null if none does.',
    example: null,
  })
  query: object | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: false,
    description: 'Always empty: the form that `query` has replaced.',
    example: {},
  })
  filters: object;

  @ApiProperty({ description: 'A name made from the question, for an insight without one.', example: 'signed up' })
  derived_name: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'With `refresh`: `result` includes everything that was acknowledged up to this moment. Otherwise null.',
    example: null,
  })
  last_refresh: string | null;

  @ApiProperty({
    anyOf: [
      { type: 'array', items: {}, nullable: true },
      { type: 'object', additionalProperties: true },
    ],
    description: 'With `refresh`: `results` of the answer that `POST query` gives to the node. Otherwise null.',
    example: null,
  })
  result: unknown;

  @ApiProperty({
    type: [NamedRecordDto],
    description: 'Dashboards that show it, at most 20. The deletion of the insight removes its tiles from them.',
    example: [],
  })
  dashboards: NamedRecordDto[];
}

@SentBackAs(SavedInsightDto, ['updated_at', 'last_refresh', 'result'])
export class UpdateInsightBody extends PartialType(CreateInsightBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class InsightsQuery extends SavedQuery {
  @QueryParam(field.choice(questionTypes, { description: 'Only questions of this type.', example: 'trends' }))
  type?: QuestionType;

  @QueryParam(field.text({ says: once, description: 'Only the one with this short id.', example: shortIdOf(3) }))
  short_id?: string;
}

export class InsightQuery {
  @QueryParam(
    field.text({
      max: 100,
      says: once,
      description: 'Any value: the answer has `result`, which is computed for the request.',
      example: 'blocking',
    }),
  )
  refresh?: string;
}

const maxDateLength = 100;
const oneText = 'must be one text';

export class AnswerQuery {
  @QueryParam(field.boolean({ description: 'Computes the answer anew, even if there is a kept one.', fallback: false }))
  refresh = false;

  @QueryParam(
    field.text({
      description:
        'A time range in place of that of the question, together with `date_to`: ISO date, `all`, or relative such as `-7d`.',
      example: '-30d',
      max: maxDateLength,
      says: oneText,
    }),
  )
  date_from?: string;

  @QueryParam(field.text({ description: 'Like `date_from`.', example: 'now', max: maxDateLength, says: oneText }))
  date_to?: string;
}

const insightForms = [
  ...trendsForms,
  ...funnelForms,
  CorrelationDto,
  RetentionDto,
  PathDto,
  LifecycleDto,
  StickinessDto,
];

/** The answer to an insight without its persons. */
@ApiExtraModels(...insightForms)
export class InsightNumbersDto {
  @ApiProperty({
    anyOf: insightForms.map((form) => ({ $ref: getSchemaPath(form) })),
    description: 'The numbers of the insight.',
  })
  insight: object;

  @ApiPropertyOptional({ type: [QuestionWarningDto], description: 'As the route of the question answers.' })
  warnings?: QuestionWarningDto[];
}

export const AnswerProperty =
  (options: { readonly required?: boolean } = {}): PropertyDecorator =>
  (target, key) => {
    ApiExtraModels(InsightNumbersDto, QueryAnswerDto)(target.constructor);
    ApiProperty({
      ...options,
      anyOf: [InsightNumbersDto, QueryAnswerDto].map((form) => ({ $ref: getSchemaPath(form) })),
      description:
        'What the route of the question answers with `include=insight`, or the answer of `query`; of a node, its results as rows.',
    })(target, key);
  };

export class InsightAnswerDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The answer includes everything that was acknowledged up to this moment.',
    example: '2026-01-08T10:00:00.000Z',
  })
  as_of: string;

  @ApiProperty({
    description:
      'Whether the answer was kept from an earlier request, for at most 15 minutes. A change of persons, deletions among them, of cohorts, actions or settings makes kept answers void.',
    example: false,
  })
  is_cached: boolean;

  @AnswerProperty()
  answer: object;
}
