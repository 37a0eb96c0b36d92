import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { grantableScopes, type GrantedScope } from '../../kernel/access/scopes.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { childrenChoices, type Children } from './key-revocation.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

const ifPresent = (name: keyof CreateKeyBody) =>
  ValidateIf((body: CreateKeyBody) => body[name] !== undefined && body[name] !== null);

export class CreateKeyBody {
  @ApiProperty({ minLength: 1, maxLength: 200, example: 'nightly export' })
  @IsDefined()
  @IsString({ message: 'label must be text' })
  @Length(1, 200, { message: 'label must have 1 to 200 characters' })
  label: string;

  @ApiProperty({ enum: grantableScopes, isArray: true, example: ['person:read', 'cohort:read'] })
  @IsDefined()
  @IsArray({ message: 'scopes must be a list' })
  @ArrayNotEmpty({ message: 'scopes must name at least one scope' })
  @ArrayMaxSize(grantableScopes.length, { message: `scopes must name at most ${grantableScopes.length} scopes` })
  @IsIn(grantableScopes, { each: true, message: `scopes must each be one of ${grantableScopes.join(', ')}` })
  scopes: GrantedScope[];

  @ApiPropertyOptional({
    type: [Number],
    nullable: true,
    default: null,
    description: 'The projects that the key is limited to; null for all.',
    example: [1],
  })
  @ifPresent('scoped_projects')
  @IsArray({ message: 'scoped_projects must be a list of project ids, or null for all' })
  @ArrayNotEmpty({ message: 'scoped_projects must name at least one project, or be null for all' })
  @ArrayMaxSize(1000, { message: 'scoped_projects must name at most 1000 projects' })
  @IsInt({ each: true, message: 'scoped_projects must be a list of project ids' })
  @Min(1, { each: true, message: 'scoped_projects must be a list of project ids' })
  @Max(2 ** 31 - 1, { each: true, message: 'scoped_projects must be a list of project ids' })
  scoped_projects?: number[] | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    nullable: true,
    default: null,
    description: 'The expiry of the key; null for never.',
    example: '2030-01-01T00:00:00.000Z',
  })
  @ifPresent('expires_at')
  @IsISO8601({ strict: true }, { message: 'expires_at must be an ISO 8601 date such as 2030-01-31, or null for never' })
  expires_at?: string | null;
}

export const overlapRange = { min: 0, max: 604_800, fallback: 86_400 } as const;

const overlapRule = `overlap_seconds must be an integer from ${overlapRange.min} to ${overlapRange.max}`;

export class RotateKeyBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: overlapRange.min,
    maximum: overlapRange.max,
    default: overlapRange.fallback,
    description: 'How long the secret that is replaced goes on working. 0 ends it at once, as a leaked one should.',
    example: 3600,
  })
  @ValidateIf((body: RotateKeyBody) => body.overlap_seconds !== undefined)
  @IsInt({ message: overlapRule })
  @Min(overlapRange.min, { message: overlapRule })
  @Max(overlapRange.max, { message: overlapRule })
  overlap_seconds?: number;
}

export class RevokeKeyQuery {
  @ApiPropertyOptional({
    enum: childrenChoices,
    default: 'revoke',
    description:
      '`revoke` also revokes the keys that this key made, directly or not. `keep` keeps them, as children of the key that made this one.',
    example: 'revoke',
  })
  @IsOptional()
  @IsIn(childrenChoices, { message: `children must be one of ${childrenChoices.join(', ')}` })
  children?: Children;
}

export class KeyDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ example: 'nightly export' })
  label: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The text of the key, in the answers to its creation and its rotation only.',
    example: null,
  })
  value: string | null;

  @ApiProperty({ description: 'The masked key, for display in lists.', example: 'phx_…9fQz' })
  mask_value: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until then the secret before the last rotation works too; null when it does not.',
    example: null,
  })
  previous_value_until: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  user_id: number;

  @ApiProperty({ enum: grantableScopes, isArray: true, example: ['person:read', 'cohort:read'] })
  scopes: GrantedScope[];

  @ApiProperty({ type: [Number], nullable: true, example: [1] })
  scoped_projects: number[] | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The key that made this one, or gave it its present secret, and whose revocation revokes it too; null for a key made by an operator.',
    example: null,
  })
  created_by_key_id: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Precise to the hour.',
    example: null,
  })
  last_used_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  expires_at: string | null;
}

@SentBackAs(KeyDto, ['last_used_at', 'previous_value_until'])
export class UpdateKeyBody extends PartialType(CreateKeyBody, { skipNullProperties: false }) {}

export const toKeyDto = (key: PersonalApiKey, value: string | null = null): KeyDto => ({
  id: key.id,
  label: key.label,
  value,
  mask_value: key.maskValue,
  previous_value_until: isoOrNull(key.previousUntil),
  user_id: key.userId,
  scopes: key.scopes,
  scoped_projects: key.projectIds,
  created_by_key_id: key.parentId,
  created_at: key.createdAt.toISOString(),
  last_used_at: isoOrNull(key.lastUsedAt),
  expires_at: isoOrNull(key.expiresAt),
});
