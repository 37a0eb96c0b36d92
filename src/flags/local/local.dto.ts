import { ApiProperty } from '@nestjs/swagger';
import { asProperty } from '../../platform/fields/schema.js';
import { rulesSchema } from '../definition/read-rules.js';
import { type StoredRules } from '../definition/rules.js';
import { type LocalGroup } from './local-cohorts.js';

export class LocalFlagDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ example: 'new-checkout' })
  key: string;

  @ApiProperty({ example: 'The new checkout' })
  name: string;

  @ApiProperty({ example: true })
  active: boolean;

  @ApiProperty({ type: 'integer', example: 3 })
  version: number;

  @ApiProperty(asProperty(rulesSchema, { example: { groups: [{ properties: [], rollout_percentage: 100 }] } }))
  filters: StoredRules;

  @ApiProperty({ example: false })
  deleted: boolean;

  @ApiProperty({ example: false })
  ensure_experience_continuity: boolean;
}

export class LocalDefinitionsDto {
  @ApiProperty({ type: [LocalFlagDto] })
  flags: LocalFlagDto[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The names of the types of groups, by index.',
    example: { '0': 'company' },
  })
  group_type_mapping: Record<string, string>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
    description:
      'The definitions, by id, of the cohorts that properties alone define. A client cannot decide about flags on others, and asks the service.',
    example: { '3': { type: 'AND', values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }] } },
  })
  cohorts: Record<string, LocalGroup>;

  @ApiProperty({
    type: 'integer',
    description: '2: `exact` compares texts, `true` and `false` included.',
    example: 2,
  })
  property_matching_version: number;
}
