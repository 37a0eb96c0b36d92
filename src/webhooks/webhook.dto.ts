import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { changeKinds, type ChangeKind } from '../cohorts/changes/changes.dto.js';
import { field } from '../platform/fields/field.js';
import { BodyField } from '../platform/http/field-decorators.js';
import { DeletedField, DeletedProperty } from '../platform/http/deleted-field.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import {
  allCohorts,
  cohortChanged,
  cohortsSchema,
  maxBatchSize,
  maxCohorts,
  webhookEvents,
  type WebhookEvent,
} from './definition/webhook-fields.js';
import {
  amplitudeSchema,
  type AmplitudeProject,
  credentialKinds,
  type CredentialKind,
  type Credentials,
  credentialsSchema,
  type Identifier,
  identifierSchema,
  maxProperties,
  type WebhookFormat,
  webhookFormats,
} from './destinations/destination.js';
import { maxUrlLength } from './sending/webhook-url.js';

export class CreateWebhookBody {
  @BodyField(
    field.text({
      required: true,
      max: maxUrlLength,
      description:
        'Where messages are sent, by POST. Addresses that are not public are refused unless the installation allows them.',
      example: 'https://crm.example.test/kohort',
    }),
  )
  url: string;

  @BodyField(
    field.any<number[] | '*'>({
      schema: cohortsSchema,
      fallback: allCohorts,
      description: `The cohorts whose changes are sent, at most ${maxCohorts}; \`*\`, the default, for all of persons, also those that are made later. Cohorts of groups are named one by one, and need the scope \`group:read\` too.`,
      example: [3],
    }),
  )
  cohorts?: number[] | '*';

  @BodyField(
    field.list(field.choice(changeKinds, {}), {
      min: 1,
      entries: `must each be one of ${changeKinds.join(', ')}`,
      few: `must name at least one of ${changeKinds.join(', ')}`,
      unique: 'must name each kind once',
      fallback: [...changeKinds],
      description: 'Which changes are sent.',
      example: ['entered', 'left'],
    }),
  )
  kinds?: ChangeKind[];

  @BodyField(
    field.list(field.choice(webhookEvents, {}), {
      min: 1,
      entries: `must each be one of ${webhookEvents.join(', ')}`,
      few: `must name at least one of ${webhookEvents.join(', ')}`,
      unique: 'must name each event once',
      fallback: [cohortChanged],
      description:
        'What is sent: changes of `cohorts`, by default, and notices of the project. A format other than `standard` takes only `cohort.changed`.',
      example: [cohortChanged, 'alert.fired', 'alert.resolved'],
    }),
  )
  events?: WebhookEvent[];

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: 2 ** 31 - 1,
      nullable: true,
      fallback: null,
      description:
        'The action whose matches are sent, with `action.matched` among the events: new events that match it, once ClickHouse has them.',
      example: null,
    }),
  )
  action?: number | null;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: maxBatchSize,
      fallback: 100,
      description: 'The largest number of changes, persons or events in one message.',
      example: 100,
    }),
  )
  batch_size?: number;

  @BodyField(
    field.choice(webhookFormats, {
      fallback: 'standard',
      description:
        'The form of messages. `standard`: the changes, as the feed lists them. `mixpanel`, `amplitude`, `segment`: the members of each ' +
        'cohort in pages, then who entered and left, as receivers of that product expect them. It cannot be changed.',
      example: 'standard',
    }),
  )
  format?: WebhookFormat;

  @BodyField(
    field.any<Identifier>({
      schema: identifierSchema,
      nullable: true,
      description:
        'By what a format other than `standard` names persons, by default `distinct_id`. Persons without it are left out, and counted.',
      example: null,
    }),
  )
  identifier?: Identifier | null;

  @BodyField(
    field.list(field.text({ min: 1, max: 400, length: 'must hold keys of 1 to 400 characters' }), {
      max: maxProperties,
      says: 'must be a list of property keys',
      many: `must have at most ${maxProperties} keys`,
      unique: 'must name each property once',
      fallback: [],
      description:
        'Properties of persons that `mixpanel` and `segment` are sent beside the identifier, as they are when the person is sent.',
      example: [],
    }),
  )
  properties?: string[];

  @BodyField(
    field.any<AmplitudeProject>({
      schema: amplitudeSchema,
      nullable: true,
      description: 'For the format `amplitude`: the project there, and the login of the owner of the cohorts.',
      example: null,
    }),
  )
  amplitude?: AmplitudeProject | null;

  @BodyField(
    field.any<Credentials | CredentialKind>({
      schema: credentialsSchema,
      nullable: true,
      description:
        'What lets messages in at the receiver: a user and a password, or a header. Only their kind is shown; sent back, it keeps them.',
      example: null,
    }),
  )
  credentials?: Credentials | CredentialKind | null;

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description: 'A paused webhook sends nothing. When it is resumed, it sends what has changed meanwhile.',
      example: false,
    }),
  )
  paused?: boolean;
}

@ApiExtraModels(UserDto)
export class WebhookDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ example: 'https://crm.example.test/kohort' })
  url: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The secret that signs messages, in the answer to the creation only.',
    example: null,
  })
  secret: string | null;

  @ApiProperty({ ...cohortsSchema, example: [3] })
  cohorts: number[] | '*';

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...changeKinds] }, example: ['entered', 'left'] })
  kinds: ChangeKind[];

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...webhookEvents] }, example: [cohortChanged] })
  events: WebhookEvent[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'The action whose matches are sent.', example: null })
  action: number | null;

  @ApiProperty({ type: 'integer', example: 100 })
  batch_size: number;

  @ApiProperty({ enum: webhookFormats, example: 'standard' })
  format: WebhookFormat;

  @ApiProperty({ ...identifierSchema, nullable: true, description: 'Null for the format `standard`.', example: null })
  identifier: Identifier | null;

  @ApiProperty({ type: [String], example: [] })
  properties: string[];

  @ApiProperty({ ...amplitudeSchema, nullable: true, example: null })
  amplitude: AmplitudeProject | null;

  @ApiProperty({
    enum: [...credentialKinds, null],
    type: String,
    nullable: true,
    description: 'The kind of the credentials, which are never shown.',
    example: null,
  })
  credentials: CredentialKind | null;

  @ApiProperty({ example: false })
  paused: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  paused_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the service has paused the webhook; null if a user has.',
    example: null,
  })
  paused_reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The first failure of the oldest message that the receiver has not accepted yet.',
    example: null,
  })
  failing_since: string | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, example: null })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(WebhookDto, ['paused_at', 'paused_reason', 'failing_since'])
export class UpdateWebhookBody extends PartialType(CreateWebhookBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class ResyncBody {
  @BodyField(
    field.jsonInteger({
      min: 1,
      max: 2 ** 31 - 1,
      description: 'Only this cohort; without it, all cohorts of the webhook.',
      example: 3,
    }),
  )
  cohort?: number;
}

export class ResyncDto {
  @ApiProperty({ type: [Number], description: 'The cohorts whose members are sent again.', example: [3] })
  cohorts: number[];
}
