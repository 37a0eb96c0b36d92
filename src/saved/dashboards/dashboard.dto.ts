import { ApiExtraModels, ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { UserDto } from '../../kernel/access/user.dto.js';
import { ProblemDto } from '../../platform/errors/problem.dto.js';
import { ListOf } from '../../platform/http/list-of.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { AnswerProperty } from '../insights/insight.dto.js';
import { SavedBody, SavedDto, SavedQuery } from '../saved.dto.js';

export const maxTiles = 50;
const columns = 12;
const largest = 2 ** 31 - 1;

const between =
  (name: string, least: number, most: number): PropertyDecorator =>
  (target, key) => {
    const message = `${name} must be an integer from ${least} to ${most}`;
    Max(most, { message })(target, key);
    Min(least, { message })(target, key);
    IsInt({ message })(target, key);
  };

export class TileBody {
  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: largest,
    description: 'The id of a tile of this dashboard, which keeps it. A tile without an id is a new one.',
    example: null,
  })
  @IsOptional()
  @between('id', 1, largest)
  id?: number | null;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: largest,
    description: 'The saved question that it shows.',
    example: 3,
  })
  @IsDefined()
  @between('insight_id', 1, largest)
  insight_id: number;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: largest,
    description: 'Tiles are sorted by it, and numbered anew from 0. By default the place in the list.',
    example: 0,
  })
  @IsOptional()
  @between('position', 0, largest)
  position?: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: columns,
    default: 6,
    description: 'Columns of a grid of twelve.',
    example: 6,
  })
  @IsOptional()
  @between('width', 1, columns)
  width?: number | null;
}

const date =
  (name: string, description: string, example: string): PropertyDecorator =>
  (target, key) => {
    ApiPropertyOptional({ type: String, nullable: true, maxLength: 100, description, example })(target, key);
    IsOptional()(target, key);
    MaxLength(100, { message: `${name} must have at most 100 characters` })(target, key);
    IsString({ message: `${name} must be text` })(target, key);
  };

export class CreateDashboardBody extends SavedBody {
  @date(
    'date_from',
    'A time range for all tiles, together with `date_to`: ISO date, `all`, or relative such as `-7d`. ' +
      'Without both, each tile has the range of its own question.',
    '-30d',
  )
  date_from?: string | null;

  @date('date_to', 'Like `date_from`.', 'now')
  date_to?: string | null;

  @ApiPropertyOptional({
    type: [TileBody],
    maxItems: maxTiles,
    description: `At most ${maxTiles} tiles. A list in a change replaces all tiles.`,
    example: [],
  })
  @IsOptional()
  @IsArray({ message: 'tiles must be a list' })
  @ArrayMaxSize(maxTiles, { message: `tiles must have at most ${maxTiles} entries` })
  @IsObject({ each: true, message: 'tiles must be a list of objects such as {"insight_id": 3}' })
  @ListOf(TileBody)
  tiles?: TileBody[] | null;
}

export class TileDto {
  @ApiProperty({ type: 'integer', example: 11 })
  id: number;

  @ApiProperty({ type: 'integer', example: 3 })
  insight_id: number;

  @ApiProperty({ type: 'integer', description: 'From 0.', example: 0 })
  position: number;

  @ApiProperty({ type: 'integer', example: 6 })
  width: number;
}

@ApiExtraModels(UserDto)
export class DashboardDto extends SavedDto {
  @ApiProperty({ type: String, nullable: true, example: '-30d' })
  date_from: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  date_to: string | null;

  @ApiProperty({ type: [TileDto], description: 'By position.' })
  tiles: TileDto[];
}

@SentBackAs(DashboardDto, ['updated_at'])
export class UpdateDashboardBody extends PartialType(CreateDashboardBody) {}

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
