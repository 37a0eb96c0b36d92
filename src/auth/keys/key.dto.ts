import { ApiProperty, PartialType } from '@nestjs/swagger';
import { isISO8601 } from 'class-validator';
import { grantableScopes, type GrantedScope } from '../../kernel/access/scopes.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { field } from '../../platform/fields/field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { childrenChoices, type Children } from './key-revocation.js';
import { type PersonalApiKey } from './personal-api-key.entity.js';

const moment = 'must be an ISO 8601 date such as 2030-01-31, or null for never';

export class CreateKeyBody {
  @BodyField(field.text({ required: true, min: 1, max: 200, example: 'nightly export' }))
  label: string;

  @BodyField(
    field.list(field.choice(grantableScopes, {}), {
      required: true,
      min: 1,
      max: grantableScopes.length,
      entries: `must each be one of ${grantableScopes.join(', ')}`,
      few: 'must name at least one scope',
      many: `must name at most ${grantableScopes.length} scopes`,
      example: ['person:read', 'cohort:read'],
    }),
  )
  scopes: GrantedScope[];

  @BodyField(
    field.list(field.jsonInteger({ min: 1, max: 2 ** 31 - 1 }), {
      min: 1,
      max: 1000,
      says: 'must be a list of project ids, or null for all',
      entries: 'must be a list of project ids',
      few: 'must name at least one project, or be null for all',
      many: 'must name at most 1000 projects',
      nullable: true,
      fallback: null,
      description: 'The projects that the key is limited to; null for all.',
      example: [1],
    }),
  )
  scoped_projects?: number[] | null;

  @BodyField(
    field.text({
      format: 'date-time',
      says: moment,
      rules: [{ holds: (text) => isISO8601(text, { strict: true }), says: moment }],
      nullable: true,
      fallback: null,
      description: 'The expiry of the key; null for never.',
      example: '2030-01-01T00:00:00.000Z',
    }),
  )
  expires_at?: string | null;
}

export const overlapRange = { min: 0, max: 604_800, fallback: 86_400 } as const;

export class RotateKeyBody {
  @BodyField(
    field.jsonInteger({
      ...overlapRange,
      nullable: false,
      description: 'How long the secret that is replaced goes on working. 0 ends it at once, as a leaked one should.',
      example: 3600,
    }),
  )
  overlap_seconds?: number;
}

export class RevokeKeyQuery {
  @QueryParam(
    field.choice(childrenChoices, {
      fallback: 'revoke',
      description:
        '`revoke` also revokes the keys that this key made, directly or not. `keep` keeps them, as children of the key that made this one.',
      example: 'revoke',
    }),
  )
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
    type: [Number],
    description: 'The same as `scoped_projects`, but empty for all, as clients of the reference product read it.',
    example: [1],
  })
  scoped_teams: number[];

  @ApiProperty({
    type: [String],
    description: 'Always empty: the installation is the only organization.',
    example: [],
  })
  scoped_organizations: string[];

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

@SentBackAs(KeyDto, ['last_used_at', 'previous_value_until', 'scoped_teams', 'scoped_organizations'])
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
  scoped_teams: key.projectIds ?? [],
  scoped_organizations: [],
  created_by_key_id: key.parentId,
  created_at: key.createdAt.toISOString(),
  last_used_at: isoOrNull(key.lastUsedAt),
  expires_at: isoOrNull(key.expiresAt),
});
