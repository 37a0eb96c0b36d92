import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { ProblemDto } from '../../platform/errors/problem.dto.js';
import { field, onceAsJson } from '../../platform/fields/field.js';
import { type Fields } from '../../platform/fields/values.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { DeletedField } from '../../platform/http/deleted-field.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { AnswerProperty, AnswerQuery, SavedInsightDto, SavedQuestionDto } from '../insights/insight.dto.js';
import { boardFiltersOf, filtersSchema, maxDateLength } from './filters.js';
import { columns, maxHeight, maxRow, maxTileText } from './grid.js';
import {
  defaultTileHeight,
  defaultTileWidth,
  markField,
  maxTiles,
  SavedBody,
  longestName,
  SavedDto,
  SavedQuery,
} from '../saved.dto.js';

const largest = 2 ** 31 - 1;

const textForm =
  'In it lines that begin with `#` to `###` are headings, those with `-` or `1.` lists; `**bold**`, `*italic*`, `code` in backticks, and ' +
  'links `[text](https://…)`. Everything else is shown as it is written.';

/** The saved question of a tile, as a dashboard has it. */
export class TileInsightDto extends PickType(SavedInsightDto, [
  'id',
  'short_id',
  'name',
  'derived_name',
  'description',
  'question',
  'query',
  'tags',
  'created_at',
  'updated_at',
]) {}

export class TextDto {
  @ApiProperty({ description: textForm, example: '## Sign-ups' })
  body: string;
}

export class LayoutDto {
  @ApiProperty({ type: 'integer', description: 'The first column, from 0.', example: 0 })
  x: number;

  @ApiProperty({ type: 'integer', description: 'The first row, from 0.', example: 0 })
  y: number;

  @ApiProperty({ type: 'integer', description: 'The same as `width`.', example: 6 })
  w: number;

  @ApiProperty({ type: 'integer', description: 'The same as `height`.', example: defaultTileHeight })
  h: number;
}

export class LayoutsDto {
  @ApiProperty({ type: LayoutDto, description: 'The place in the grid. A narrow screen has one column.' })
  sm: LayoutDto;
}

export class TileDto {
  @ApiProperty({ type: 'integer', example: 11 })
  id: number;

  @ApiProperty({ type: 'integer', description: 'The saved question that it shows; 0 if it shows a text.', example: 3 })
  insight_id: number;

  @ApiProperty({ type: TextDto, nullable: true, description: 'The text that it shows.', example: null })
  text: TextDto | null;

  @ApiProperty({ type: 'integer', description: 'From 0, from the upper left to the lower right.', example: 0 })
  position: number;

  @ApiProperty({ type: 'integer', description: 'The same as `position`.', example: 0 })
  order: number;

  @ApiProperty({ type: 'integer', example: 6 })
  width: number;

  @ApiProperty({ type: 'integer', example: defaultTileHeight })
  height: number;

  @ApiProperty({ type: LayoutsDto })
  layouts: LayoutsDto;

  @ApiPropertyOptional({ type: TileInsightDto, description: 'Absent in the list of dashboards.' })
  insight?: TileInsightDto;
}

export class TileBody {
  @BodyField(
    field.jsonInteger({
      min: 1,
      max: largest,
      nullable: true,
      description: 'The id of a tile of this dashboard, which keeps it. A tile without an id is a new one.',
      example: null,
    }),
  )
  id?: number | null;

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: largest,
      nullable: true,
      description: 'The saved question that it shows; null or 0 for a tile with `text`.',
      example: 3,
    }),
  )
  insight_id?: number | null;

  @BodyField(
    field.object({
      schema: {
        type: 'object',
        properties: { body: { type: 'string', minLength: 1, maxLength: maxTileText } },
        required: ['body'],
        additionalProperties: true,
      },
      nullable: true,
      description: `Makes it a text in place of a question. ${textForm}`,
      example: null,
    }),
  )
  text?: Fields | null;

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: largest,
      nullable: true,
      description: 'Tiles are sorted by it, and numbered anew from 0. By default the order of the list.',
      example: 0,
    }),
  )
  position?: number | null;

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: largest,
      nullable: true,
      description: 'The same as `position`, which comes before it.',
      example: 0,
    }),
  )
  order?: number | null;

  @BodyField(
    field.object({
      schema: { type: 'object', additionalProperties: true },
      nullable: true,
      description: 'Has no effect: `insight_id` names the insight.',
      example: null,
    }),
  )
  insight?: object | null;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: columns,
      nullable: true,
      fallback: defaultTileWidth,
      description: 'Columns of a grid of twelve.',
      example: 6,
    }),
  )
  width?: number | null;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: maxHeight,
      nullable: true,
      fallback: defaultTileHeight,
      description: 'Rows of the grid. A tile that is changed keeps its height.',
      example: defaultTileHeight,
    }),
  )
  height?: number | null;

  @BodyField(
    field.object({
      schema: {
        type: 'object',
        properties: {
          sm: {
            type: 'object',
            nullable: true,
            properties: {
              x: { type: 'integer', minimum: 0, maximum: columns - 1 },
              y: { type: 'integer', minimum: 0, maximum: maxRow },
              w: { type: 'integer', minimum: 1, maximum: columns },
              h: { type: 'integer', minimum: 1, maximum: maxHeight },
            },
            required: ['x', 'y', 'w', 'h'],
            additionalProperties: true,
          },
        },
        additionalProperties: true,
      },
      nullable: true,
      description:
        'The place in the grid, `sm`, which comes before `position`, `width` and `height` unless it is sent back as it was read. ' +
        'Tiles that would cover others move down, and all move up over empty rows. Without it the tiles follow each other.',
      example: { sm: { x: 0, y: 0, w: 6, h: defaultTileHeight } },
    }),
  )
  layouts?: Fields | null;
}

const filtersText =
  'What all tiles have in common: a time range and a breakdown (of trends and funnels) in place of their own, and `properties`, filters that ' +
  'hold beside their own. Questions in SQL have none of these.';
const filtersExample = {
  date_from: '-30d',
  date_to: null,
  properties: [{ key: 'plan', type: 'person', value: ['pro'] }],
  breakdown_filter: { breakdown: [3, 'all'], breakdown_type: 'cohort' },
};

const date = (description: string, example: string) =>
  field.text({ nullable: true, max: maxDateLength, description, example });

export class CreateDashboardBody extends SavedBody {
  @BodyField(field.text({ required: true, min: 1, max: longestName, withoutNul: true, example: 'Growth' }))
  name: string;

  @BodyField(markField('pinned'))
  pinned?: boolean | null;

  @BodyField(
    date(
      'A time range for all tiles, together with `date_to`: ISO date, `all`, or relative such as `-7d`. ' +
        'Without both, each tile has the range of its own question.',
      '-30d',
    ),
  )
  date_from?: string | null;

  @BodyField(date('Like `date_from`.', 'now'))
  date_to?: string | null;

  @BodyField(
    field.object({
      says: 'must be an object such as {"date_from": "-30d"}',
      schema: { ...filtersSchema, additionalProperties: false },
      nullable: true,
      description: `${filtersText} Replaces all of them; its dates stand for \`date_from\` and \`date_to\`.`,
      example: filtersExample,
    }),
  )
  filters?: Fields | null;

  @BodyField(
    field.listOf(TileBody, {
      max: maxTiles,
      entries: 'must be a list of objects such as {"insight_id": 3}',
      many: `must have at most ${maxTiles} entries`,
      description: `At most ${maxTiles} tiles. A list in a change replaces all tiles.`,
      example: [],
    }),
  )
  tiles?: TileBody[] | null;
}

@ApiExtraModels(UserDto)
export class DashboardDto extends SavedDto {
  @ApiProperty({ description: 'The same as `favourite`.', example: false })
  pinned: boolean;

  @ApiProperty({ type: String, nullable: true, example: '-30d' })
  date_from: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  date_to: string | null;

  @ApiProperty({
    ...filtersSchema,
    required: ['date_from', 'date_to', 'properties', 'breakdown_filter'],
    selfRequired: true,
    description: filtersText,
    example: filtersExample,
  } as ApiPropertyOptions)
  filters: ReturnType<typeof boardFiltersOf>;

  @ApiProperty({ type: [TileDto], description: 'By position.' })
  tiles: TileDto[];
}

@SentBackAs(DashboardDto, ['updated_at'])
export class UpdateDashboardBody extends PartialType(CreateDashboardBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class DashboardsQuery extends SavedQuery {}

export class DashboardAnswersQuery extends AnswerQuery {
  @QueryParam(
    field.text({
      max: 20_000,
      says: onceAsJson,
      description: 'In place of the `filters` of the dashboard, which stay as they are: an object of JSON.',
      example: JSON.stringify(filtersExample),
    }),
  )
  filters_override?: string;
}

export class TileAnswerDto {
  @ApiProperty({ type: 'integer', example: 11 })
  tile_id: number;

  @ApiProperty({ type: 'integer', example: 3 })
  insight_id: number;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  as_of?: string;

  @ApiPropertyOptional({ description: 'As in the answer of one insight.', example: false })
  is_cached?: boolean;

  @ApiPropertyOptional({
    type: SavedQuestionDto,
    description: 'The question of the insight with the filters of all tiles.',
  })
  question?: SavedQuestionDto;

  @AnswerProperty({ required: false })
  answer?: object;

  @ApiPropertyOptional({
    type: ProblemDto,
    description: 'In place of an answer: why there is none. The other tiles are not affected.',
  })
  problem?: ProblemDto;
}

export class DashboardAnswersDto {
  @ApiProperty({ type: [TileAnswerDto], description: 'By position; texts have none.' })
  results: TileAnswerDto[];
}
