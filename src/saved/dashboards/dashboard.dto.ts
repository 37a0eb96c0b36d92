import { ApiExtraModels, ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { ProblemDto } from '../../platform/errors/problem.dto.js';
import { field } from '../../platform/fields/field.js';
import { type Fields } from '../../platform/fields/values.js';
import { type RangeOverride } from '../questions/time-range.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { DeletedField } from '../../platform/http/deleted-field.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { AnswerProperty, SavedInsightDto } from '../insights/insight.dto.js';
import { defaultTileWidth, markField, maxTiles, SavedBody, longestName, SavedDto, SavedQuery } from '../saved.dto.js';

const columns = 12;
const largest = 2 ** 31 - 1;

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

export class TileDto {
  @ApiProperty({ type: 'integer', example: 11 })
  id: number;

  @ApiProperty({ type: 'integer', example: 3 })
  insight_id: number;

  @ApiProperty({ type: 'integer', description: 'From 0.', example: 0 })
  position: number;

  @ApiProperty({ type: 'integer', description: 'The same as `position`.', example: 0 })
  order: number;

  @ApiProperty({ type: 'integer', example: 6 })
  width: number;

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
      required: true,
      min: 1,
      max: largest,
      description: 'The saved question that it shows.',
      example: 3,
    }),
  )
  insight_id: number;

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
}

export const maxDateLength = 100;

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
      schema: {
        type: 'object',
        properties: {
          date_from: { type: 'string', nullable: true },
          date_to: { type: 'string', nullable: true },
          properties: { type: 'array', maxItems: 0, items: {} },
        },
        additionalProperties: false,
      },
      nullable: true,
      description:
        'In place of `date_from` and `date_to`, which it contains. `properties` must be empty: an insight has its own filters.',
      example: { date_from: '-30d', date_to: null },
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
    type: 'object',
    properties: { date_from: { type: 'string', nullable: true }, date_to: { type: 'string', nullable: true } },
    required: ['date_from', 'date_to'],
    description: 'The same as `date_from` and `date_to`.',
    example: { date_from: '-30d', date_to: null },
  })
  filters: RangeOverride;

  @ApiProperty({ type: [TileDto], description: 'By position.' })
  tiles: TileDto[];
}

@SentBackAs(DashboardDto, ['updated_at'])
export class UpdateDashboardBody extends PartialType(CreateDashboardBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class DashboardsQuery extends SavedQuery {}

export class TileAnswerDto {
  @ApiProperty({ type: 'integer', example: 11 })
  tile_id: number;

  @ApiProperty({ type: 'integer', example: 3 })
  insight_id: number;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  as_of?: string;

  @ApiPropertyOptional({ description: 'As in the answer of one insight.', example: false })
  is_cached?: boolean;

  @AnswerProperty({ required: false })
  answer?: object;

  @ApiPropertyOptional({
    type: ProblemDto,
    description: 'In place of an answer: why there is none. The other tiles are not affected.',
  })
  problem?: ProblemDto;
}

export class DashboardAnswersDto {
  @ApiProperty({ type: [TileAnswerDto], description: 'By position.' })
  results: TileAnswerDto[];
}
