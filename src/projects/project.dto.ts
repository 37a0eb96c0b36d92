import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { ListOf } from '../platform/http/list-of.js';
import { asProperty, listSchema, schemaNamed } from '../platform/fields/schema.js';
import { isoOrNull } from '../platform/http/dates.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { expiryByNameSchema, expiryDays } from '../kernel/projects/event-expiry.js';
import { quotasOfProject } from './settings/quota-settings.js';
import { quotaNames, quotasSchema, noQuotas, type Quotas, warnedPercent } from '../kernel/projects/quotas.js';
import { type PathCleaningFilter, type Project } from '../kernel/projects/project.entity.js';

@ValidatorConstraint({ name: 'timezone' })
class IsTimeZone implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    // The platform accepts "+02:00", but an offset has no daylight saving rules, and the stores know only names.
    if (typeof value !== 'string' || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(value)) return false;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  }

  defaultMessage(): string {
    return 'timezone must be an IANA time zone such as Europe/Berlin';
  }
}

export class PathCleaningFilterDto {
  @ApiProperty({ example: '/users/\\d+' })
  @IsString({ message: 'regex must be text' })
  @Length(1, 400, { message: 'regex must have 1 to 400 characters' })
  regex: string;

  @ApiProperty({ example: '/users/:id' })
  @IsString({ message: 'alias must be text' })
  @Length(0, 400, { message: 'alias must have at most 400 characters' })
  alias: string;
}

const expiryRule = `events_ttl_days must be an integer from ${expiryDays.min} to ${expiryDays.max}, or null for ever`;

export class CreateProjectBody {
  @ApiProperty({ minLength: 1, maxLength: 200, example: 'Web shop' })
  @IsDefined()
  @IsString({ message: 'name must be text' })
  @Length(1, 200, { message: 'name must have 1 to 200 characters' })
  name: string;

  @ApiPropertyOptional({
    description: 'IANA name; days, weeks and months of every insight begin there.',
    default: 'UTC',
    example: 'Europe/Berlin',
  })
  @IsOptional()
  @Validate(IsTimeZone)
  timezone?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 6, default: 0, description: '0 is Sunday.' })
  @IsOptional()
  @IsInt({ message: 'week_start_day must be an integer from 0 (Sunday) to 6' })
  @Min(0, { message: 'week_start_day must be an integer from 0 (Sunday) to 6' })
  @Max(6, { message: 'week_start_day must be an integer from 0 (Sunday) to 6' })
  week_start_day?: number;

  @ApiPropertyOptional({
    type: [String],
    default: ['email', 'name', 'username'],
    description: 'The first of these properties that is not empty names a person.',
  })
  @IsOptional()
  @IsArray({ message: 'person_display_name_properties must be a list of property keys' })
  @ArrayMaxSize(20, { message: 'person_display_name_properties must have at most 20 keys' })
  @IsString({ each: true, message: 'person_display_name_properties must be a list of property keys' })
  @Length(1, 400, { each: true, message: 'person_display_name_properties must hold keys of 1 to 400 characters' })
  person_display_name_properties?: string[];

  @ApiPropertyOptional(
    asProperty(listSchema(schemaNamed('InsightFilter'), 50), {
      example: [],
      default: [],
      description:
        'Filters that filter_test_accounts=true adds to a question. They are checked when they are stored: operators, values, ' +
        'regular expressions (RE2), and that their cohorts exist in the project.',
    }),
  )
  @IsOptional()
  @IsArray({ message: 'test_account_filters must be a list of filters' })
  @ArrayMaxSize(50, { message: 'test_account_filters must have at most 50 filters' })
  @IsObject({ each: true, message: 'test_account_filters must be a list of filters' })
  test_account_filters?: Record<string, unknown>[];

  @ApiPropertyOptional({
    type: [PathCleaningFilterDto],
    default: [],
    description:
      'Rewrites of page addresses that path_replacements=true applies. RE2 must accept each regular expression, and each alias ' +
      'may refer only to groups of its expression.',
  })
  @IsOptional()
  @IsArray({ message: 'path_cleaning_filters must be a list of {regex, alias}' })
  @ArrayMaxSize(50, { message: 'path_cleaning_filters must have at most 50 entries' })
  @IsObject({ each: true, message: 'path_cleaning_filters must be a list of {regex, alias}' })
  @ListOf(PathCleaningFilterDto)
  path_cleaning_filters?: PathCleaningFilterDto[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: expiryDays.min,
    maximum: expiryDays.max,
    nullable: true,
    default: null,
    description:
      'The weekly job removes events whose timestamp is older than this many days, but none that arrived within the last day. ' +
      'Null keeps events for ever. `GET retention?preview=true` counts what a value would remove.',
    example: null,
  })
  @IsOptional()
  @IsInt({ message: expiryRule })
  @Min(expiryDays.min, { message: expiryRule })
  @Max(expiryDays.max, { message: expiryRule })
  events_ttl_days?: number | null;

  @ApiPropertyOptional(
    asProperty(expiryByNameSchema, {
      default: {},
      description: 'Event names that are kept for another number of days than `events_ttl_days`; null: for ever.',
      example: { $pageview: 30, 'order paid': null },
    }),
  )
  @IsOptional()
  @IsObject({ message: 'events_ttl_days_by_name must be an object of event names and days' })
  events_ttl_days_by_name?: Record<string, number | null>;

  @ApiPropertyOptional(
    asProperty(quotasSchema([]), {
      default: noQuotas,
      description:
        'How much the project may have; null: any number. Only owners of the installation, and keys with the scope `*` on all ' +
        'projects, set quotas. `events_per_day` limits what capture and imports store in a day in UTC, `cohorts` those that are ' +
        `not deleted, \`members\` all with a role. \`GET quotas\` shows what is used, and warns from ${warnedPercent} % on.`,
      example: { events_per_day: 1_000_000, cohorts: 200, members: null },
    }),
  )
  @IsOptional()
  @IsObject({ message: `quotas must be an object with ${quotaNames.join(', ')}` })
  quotas?: Partial<Quotas>;

  @ApiPropertyOptional({
    default: false,
    description:
      'Records who reads personal data of the project: `GET audit` lists the requests. Only owners of the installation, and keys ' +
      'with the scope `*` on all projects, turn it on and off.',
  })
  @IsOptional()
  @IsBoolean({ message: 'audit_reads must be true or false' })
  audit_reads?: boolean;
}

export const graceRange = { min: 0, max: 2_592_000, fallback: 604_800 } as const;

const graceRule = `grace_seconds must be an integer from ${graceRange.min} to ${graceRange.max}`;

export class RotateTokenBody {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: graceRange.min,
    maximum: graceRange.max,
    default: graceRange.fallback,
    description: 'How long the token that is replaced goes on capturing. 0 ends it at once.',
    example: 86_400,
  })
  @ValidateIf((body: RotateTokenBody) => body.grace_seconds !== undefined)
  @IsInt({ message: graceRule })
  @Min(graceRange.min, { message: graceRule })
  @Max(graceRange.max, { message: graceRule })
  grace_seconds?: number;
}

/** The fields that an operator sets at the command line. */
export class NewProjectBody extends PickType(CreateProjectBody, ['name', 'timezone'] as const) {}

export class ProjectDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: 'Web shop' })
  name: string;

  @ApiProperty({
    description: 'Public: SDKs send it with every event.',
    example: 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj',
  })
  api_token: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Until then the token before the last rotation captures too; null when it ended at once, or there was none.',
    example: null,
  })
  previous_api_token_until: string | null;

  @ApiProperty({ example: 'UTC' })
  timezone: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 6, example: 0 })
  week_start_day: number;

  @ApiProperty({ type: [String], example: ['email', 'name', 'username'] })
  person_display_name_properties: string[];

  @ApiProperty(asProperty(listSchema(schemaNamed('InsightFilter')), { example: [] }))
  test_account_filters: unknown[];

  @ApiProperty({ type: [PathCleaningFilterDto], example: [] })
  path_cleaning_filters: PathCleaningFilterDto[];

  @ApiProperty({
    type: 'integer',
    minimum: expiryDays.min,
    maximum: expiryDays.max,
    nullable: true,
    description: 'Null keeps events for ever.',
    example: 365,
  })
  events_ttl_days: number | null;

  @ApiProperty(asProperty(expiryByNameSchema, { example: { $pageview: 30, 'order paid': null } }))
  events_ttl_days_by_name: Readonly<Record<string, number | null>>;

  @ApiProperty(
    asProperty(quotasSchema(quotaNames), {
      description: 'How much the project may have; null: any number.',
      example: { events_per_day: 1_000_000, cohorts: 200, members: null },
    }),
  )
  quotas: Quotas;

  @ApiProperty({ description: 'Whether `GET audit` lists who reads personal data.', example: false })
  audit_reads: boolean;
}

@SentBackAs(ProjectDto)
export class UpdateProjectBody extends PartialType(CreateProjectBody) {}

/** Without the class of the DTO, as they are stored. */
export const cleaningFiltersOf = ({
  path_cleaning_filters: rules,
}: UpdateProjectBody): PathCleaningFilter[] | undefined => rules?.map(({ regex, alias }) => ({ regex, alias }));

export const toProjectDto = (project: Project): ProjectDto => ({
  id: project.id,
  uuid: project.uuid,
  name: project.name,
  api_token: project.apiToken,
  previous_api_token_until: isoOrNull(project.previousApiTokenUntil),
  timezone: project.timezone,
  week_start_day: project.weekStartDay,
  person_display_name_properties: project.personDisplayNameProperties,
  test_account_filters: project.testAccountFilters,
  path_cleaning_filters: project.pathCleaningFilters,
  events_ttl_days: project.eventsTtlDays,
  events_ttl_days_by_name: project.eventsTtlDaysByName,
  quotas: quotasOfProject(project),
  audit_reads: project.auditReads,
});
