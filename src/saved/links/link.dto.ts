import { ApiExtraModels, ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { LayoutsDto, TextDto, TileDto } from '../dashboards/dashboard.dto.js';

const days = { min: 1, max: 365 };
export const usualDays = 30;

export class CreateLinkBody {
  @BodyField(
    field.jsonInteger({
      ...days,
      nullable: true,
      fallback: usualDays,
      description: 'After so many days it shows nothing any more.',
      example: usualDays,
    }),
  )
  expires_in_days?: number | null;

  @BodyField(
    field.text({
      max: 200,
      withoutNul: true,
      nullable: true,
      fallback: '',
      description: 'Whom the link is for. Those who have it do not see this.',
      example: 'Board meeting',
    }),
  )
  label?: string | null;
}

@ApiExtraModels(UserDto)
export class DashboardLinkDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ description: 'Whom it is for.', example: 'Board meeting' })
  label: string;

  @ApiProperty({
    description:
      'False once it has expired, its maker may no longer change dashboards of the project, or the project forbids links.',
    example: true,
  })
  works: boolean;

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'Who made it.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T00:00:00.000Z' })
  expires_at: string;
}

export class DashboardLinksDto {
  @ApiProperty({ type: [DashboardLinkDto], description: 'Newest first.' })
  results: DashboardLinkDto[];
}

export class NewDashboardLinkDto extends DashboardLinkDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The address to hand out, in the answer to the creation only.',
    example: 'https://kohort.example.test/shared#1.kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
  })
  link: string | null;
}

export class LinkTokenBody {
  @BodyField(
    field.text({
      required: true,
      min: 1,
      max: 100,
      description: 'The part of the link after `#`.',
      example: '1.kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
    }),
  )
  token: string;
}

export class SharedTileDto extends PickType(TileDto, ['id', 'position', 'width', 'height']) {
  @ApiProperty({ example: 'Weekly active persons' })
  name: string;

  @ApiProperty({ type: LayoutsDto })
  layouts: LayoutsDto;

  @ApiProperty({ type: TextDto, nullable: true, description: 'The text that it shows.', example: null })
  text: TextDto | null;
}

export class SharedDashboardDto {
  @ApiProperty({ example: 'Growth' })
  name: string;

  @ApiProperty({ example: '' })
  description: string;

  @ApiProperty({ example: 'Europe/Berlin' })
  timezone: string;

  @ApiProperty({ type: 'integer', description: '0 is Sunday.', example: 1 })
  week_start_day: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T00:00:00.000Z' })
  expires_at: string;

  @ApiProperty({ type: [SharedTileDto], description: 'By position.' })
  tiles: SharedTileDto[];
}
