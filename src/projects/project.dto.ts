import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { BodyField } from '../platform/http/field-decorators.js';
import { field } from '../platform/fields/field.js';
import { asProperty, listSchema, schemaNamed } from '../platform/fields/schema.js';
import { isoOrNull } from '../platform/http/dates.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { expiryByNameSchema, expiryDays, type EventExpiry } from '../kernel/projects/event-expiry.js';
import { quotasOfProject } from './settings/quota-settings.js';
import { isAutomaticProperty } from '../kernel/event-log/normalise/person-changes.js';
import { organization } from '../kernel/access/organization.js';
import { quotaNames, quotasSchema, noQuotas, type Quotas, warnedPercent } from '../kernel/projects/quotas.js';
import { type PathCleaningFilter, type Project } from '../kernel/projects/project.entity.js';

const isTimeZone = (text: string): boolean => {
  // Offsets such as "+02:00" are refused although the platform accepts them: they have no daylight saving rules, and the stores
  // know names only.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const timeZoneRule = 'must be an IANA time zone such as Europe/Berlin';

export class PathCleaningFilterDto {
  @BodyField(field.text({ required: true, min: 1, max: 400, example: '/users/\\d+' }))
  regex: string;

  @BodyField(field.text({ required: true, max: 400, example: '/users/:id' }))
  alias: string;
}

const protectedNames = (isProtectable: (name: string) => boolean, description: string) =>
  BodyField(
    field.list(
      field.text({
        min: 1,
        max: 400,
        length: 'must hold keys of 1 to 400 characters',
        withoutNul: true,
        rules: [
          {
            holds: isProtectable,
            says: 'must not hold properties that each event gives its person, such as $browser or utm_source',
          },
        ],
      }),
      {
        max: 100,
        says: 'must be a list of property keys',
        many: 'must have at most 100 keys',
        unique: 'must have each key once',
        fallback: [],
        description,
        example: [],
      },
    ),
  );

export class CreateProjectBody {
  @BodyField(field.text({ required: true, min: 1, max: 200, example: 'Web shop' }))
  name: string;

  @BodyField(
    field.text({
      says: timeZoneRule,
      rules: [{ holds: isTimeZone, says: timeZoneRule }],
      description: 'IANA name; days, weeks and months of every insight begin there.',
      fallback: 'UTC',
      example: 'Europe/Berlin',
    }),
  )
  timezone?: string;

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: 6,
      says: 'must be an integer from 0 (Sunday) to 6',
      fallback: 0,
      description: '0 is Sunday.',
    }),
  )
  week_start_day?: number;

  @BodyField(
    field.list(field.text({ min: 1, max: 400, length: 'must hold keys of 1 to 400 characters' }), {
      max: 20,
      says: 'must be a list of property keys',
      many: 'must have at most 20 keys',
      fallback: ['email', 'name', 'username'],
      description: 'The first of these properties that is not empty names a person.',
    }),
  )
  person_display_name_properties?: string[];

  @BodyField(
    field.list(field.object({ schema: schemaNamed('InsightFilter') }), {
      max: 50,
      says: 'must be a list of filters',
      many: 'must have at most 50 filters',
      fallback: [],
      example: [],
      description:
        'Filters that filter_test_accounts=true adds to a question. They are checked when they are stored: operators, values, ' +
        'regular expressions (RE2), and that their cohorts exist in the project.',
    }),
  )
  test_account_filters?: Record<string, unknown>[];

  @BodyField(
    field.listOf(PathCleaningFilterDto, {
      max: 50,
      says: 'must be a list of {regex, alias}',
      many: 'must have at most 50 entries',
      fallback: [],
      description:
        'Rewrites of page addresses that path_replacements=true applies. RE2 must accept each regular expression, and each alias ' +
        'may refer only to groups of its expression.',
    }),
  )
  path_cleaning_filters?: PathCleaningFilterDto[];

  @BodyField(
    field.jsonInteger({
      ...expiryDays,
      says: `must be an integer from ${expiryDays.min} to ${expiryDays.max}, or null for ever`,
      nullable: true,
      fallback: null,
      description:
        'The weekly job removes events whose timestamp is older than this many days, but none that arrived within the last day. ' +
        'Null keeps events for ever. `GET retention?preview=true` counts what a value would remove.',
      example: null,
    }),
  )
  events_ttl_days?: number | null;

  @BodyField(
    field.object<EventExpiry['daysByName']>({
      schema: expiryByNameSchema,
      says: 'must be an object of event names and days',
      fallback: {},
      description: 'Event names that are kept for another number of days than `events_ttl_days`; null: for ever.',
      example: { $pageview: 30, 'order paid': null },
    }),
  )
  events_ttl_days_by_name?: Record<string, number | null>;

  @BodyField(
    field.object<Partial<Quotas>>({
      schema: quotasSchema([]),
      says: `must be an object with ${quotaNames.join(', ')}`,
      fallback: noQuotas,
      description:
        'How much the project may have; null: any number. Only owners of the installation, and keys with the scope `*` on all ' +
        'projects, set quotas. `events_per_day` limits what capture and imports store in a day in UTC, `cohorts` those that are ' +
        `not deleted, \`members\` all with a role. \`GET quotas\` shows what is used, and warns from ${warnedPercent} % on.`,
      example: { events_per_day: 1_000_000, cohorts: 200, members: null },
    }),
  )
  quotas?: Partial<Quotas>;

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description:
        'Records who reads personal data of the project: `GET audit` lists the requests. Only owners of the installation, and keys ' +
        'with the scope `*` on all projects, turn it on and off.',
    }),
  )
  audit_reads?: boolean;

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description:
        'Distinguishes visitors in the cookieless mode of SDKs by a hash of address, host and browser whose key is made for each day ' +
        '(UTC) and then destroyed. Without it all of them count as one visitor.',
    }),
  )
  cookieless_visitors?: boolean;

  @protectedNames(
    (name) => !isAutomaticProperty(name),
    'Properties of persons that events captured with the project token alone do not change: `$set`, `$set_once` and `$unset` of ' +
      'them are ignored with a warning. A capture that has a secret key with `person:write` as bearer beside the token changes ' +
      'them, as all routes for keys do. Names are compared exactly.',
  )
  protected_person_properties?: string[];

  @protectedNames(
    () => true,
    'Properties of groups of any type that `$groupidentify` captured with the project token alone does not change. A secret key ' +
      'with `group:write` as bearer does.',
  )
  protected_group_properties?: string[];

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description:
        'With it `$merge_dangerously`, the only event that merges two identified persons, is ignored without a secret key with ' +
        '`person:write` as bearer.',
    }),
  )
  protected_merges?: boolean;

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description:
        'With it no link shows a dashboard without an account: none can be made, and existing ones answer as if they did not exist, ' +
        'until links are allowed again.',
    }),
  )
  dashboard_links_forbidden?: boolean;
}

export const graceRange = { min: 0, max: 2_592_000, fallback: 604_800 } as const;

export class RotateTokenBody {
  @BodyField(
    field.jsonInteger({
      ...graceRange,
      nullable: false,
      description: 'How long the token that is replaced goes on capturing. 0 ends it at once.',
      example: 86_400,
    }),
  )
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

  @ApiProperty({ format: 'uuid', description: 'The installation.', example: organization.id })
  organization: string;

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

  @ApiProperty({ description: 'Whether visitors in cookieless mode are distinguished for a day.', example: false })
  cookieless_visitors: boolean;

  @ApiProperty({ type: [String], description: 'Only a secret key changes these properties of persons.', example: [] })
  protected_person_properties: string[];

  @ApiProperty({ type: [String], description: 'Only a secret key changes these properties of groups.', example: [] })
  protected_group_properties: string[];

  @ApiProperty({ description: 'Whether only a secret key merges identified persons.', example: false })
  protected_merges: boolean;

  @ApiProperty({ description: 'True if no link shows a dashboard without an account.', example: false })
  dashboard_links_forbidden: boolean;
}

@SentBackAs(ProjectDto)
export class UpdateProjectBody extends PartialType(CreateProjectBody) {}

/** Returns plain objects, as they are stored, instead of instances of the DTO. */
export const cleaningFiltersOf = ({
  path_cleaning_filters: rules,
}: UpdateProjectBody): PathCleaningFilter[] | undefined => rules?.map(({ regex, alias }) => ({ regex, alias }));

export const toProjectDto = (project: Project): ProjectDto => ({
  id: project.id,
  uuid: project.uuid,
  name: project.name,
  organization: organization.id,
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
  cookieless_visitors: project.cookielessVisitors,
  protected_person_properties: project.protectedPersonProperties,
  protected_group_properties: project.protectedGroupProperties,
  protected_merges: project.protectedMerges,
  dashboard_links_forbidden: project.dashboardLinksForbidden,
});
