import { Button, Group, Input, NumberInput, SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { PropertyPicker } from '../../../filters/pickers';
import { usePropertyNames } from '../../../filters/properties';
import { errorAt } from '../../../ui/field-error';
import { Select } from '../../../ui/select';
import { type Webhook } from './webhooks';

export type Credentials =
  | { readonly user: string; readonly password: string }
  | { readonly header: string; readonly value: string };

interface Destination extends Pick<Webhook, 'format' | 'identifier' | 'properties' | 'amplitude'> {
  readonly credentials?: Credentials | null;
}

interface DestinationFieldsProps {
  readonly written: Destination;
  /** The kind of the credentials that the service has. */
  readonly stored: Webhook['credentials'];
  readonly onChange: (change: Partial<Destination>) => void;
  readonly error: Error | null;
}

const ofPerson = { type: 'person' } as const;

const identifiers = [
  { value: 'distinct_id', label: 'distinct id' },
  { value: 'email', label: 'e-mail address' },
  { value: 'uuid', label: 'uuid of the person' },
  { value: 'property', label: 'a property' },
];

/** How a receiver with a format of its own knows persons, what it is told about them, and what lets messages in there. */
export function DestinationFields({ written, stored, onChange, error }: DestinationFieldsProps) {
  const names = usePropertyNames(ofPerson);
  const { format, identifier, properties, amplitude } = written;
  const property = typeof identifier === 'object' && identifier !== null ? identifier.property : null;
  return (
    <>
      <Input.Wrapper
        label="Identifier"
        labelElement="div"
        description="How the receiver identifies persons; those without it are skipped"
        error={errorAt(error, 'identifier', property === '' && 'Choose a property')}
      >
        <Group gap="xs" mt={6}>
          <Select
            aria-label="Identifier"
            w={200}
            data={identifiers}
            value={typeof identifier === 'string' ? identifier : 'property'}
            allowDeselect={false}
            onChange={(chosen) =>
              onChange({ identifier: chosen === 'property' ? { property: '' } : (chosen as 'distinct_id') })
            }
          />
          {property !== null && (
            <PropertyPicker
              label="Property that identifies persons"
              owner={ofPerson}
              value={property === '' ? null : property}
              onChange={(key) => onChange({ identifier: { property: key ?? '' } })}
            />
          )}
        </Group>
      </Input.Wrapper>
      {format !== 'amplitude' && (
        <TagsInput
          label="Properties"
          description="Sent with the identifier, with their values at that time"
          placeholder={properties.length === 0 ? 'None' : undefined}
          data={[...names]}
          limit={100}
          acceptValueOnBlur
          value={properties}
          onChange={(keys) => onChange({ properties: keys })}
          error={errorAt(error, 'properties')}
        />
      )}
      {amplitude && (
        <Group gap="sm" align="flex-start">
          <NumberInput
            label="Amplitude project"
            required
            flex="1 1 160px"
            allowDecimal={false}
            min={1}
            value={amplitude.app_id === 0 ? '' : amplitude.app_id}
            onChange={(id) => onChange({ amplitude: { ...amplitude, app_id: typeof id === 'number' ? id : 0 } })}
            error={errorAt(error, 'amplitude', 'Enter the project, a number, and the login')}
          />
          <TextInput
            label="Login of the cohorts’ owner"
            required
            flex="2 1 220px"
            value={amplitude.owner}
            onChange={({ currentTarget }) => onChange({ amplitude: { ...amplitude, owner: currentTarget.value } })}
          />
        </Group>
      )}
      <CredentialsField written={written} stored={stored} onChange={onChange} error={error} />
    </>
  );
}

const words = {
  mixpanel: ['User', 'Password'],
  amplitude: ['API key', 'Secret key'],
  segment: ['Write key', 'Password (empty)'],
  standard: ['User', 'Password'],
} as const;

const storedWords = { basic: 'a user and a password', header: 'a header' } as const;

function CredentialsField({ written: { format, credentials }, stored, onChange, error }: DestinationFieldsProps) {
  const label = 'Credentials';
  if (stored !== null && credentials === undefined)
    return (
      <Input.Wrapper
        label={label}
        labelElement="div"
        error={errorAt(error, 'credentials', 'The address is on another server: replace them')}
      >
        <Group gap="xs" mt={4}>
          <Text size="sm">The service has {storedWords[stored]}, which it does not show.</Text>
          <Button size="compact-sm" variant="default" onClick={() => onChange({ credentials: null })}>
            Replace
          </Button>
        </Group>
      </Input.Wrapper>
    );
  const kind = !credentials ? 'none' : 'user' in credentials ? 'basic' : 'header';
  const [user, password] = words[format];
  const own = kind === 'basic' && 'Enter both; a user has no colon';
  return (
    <Input.Wrapper label={label} labelElement="div" error={errorAt(error, 'credentials', own)}>
      <Stack gap="xs" mt={6}>
        <SegmentedControl
          aria-label={label}
          style={{ alignSelf: 'flex-start' }}
          size="xs"
          data={[
            { value: 'none', label: 'Nothing' },
            { value: 'basic', label: format === 'standard' || format === 'mixpanel' ? 'User and password' : 'Keys' },
            { value: 'header', label: 'A header' },
          ]}
          value={kind}
          onChange={(chosen) =>
            onChange({
              credentials:
                chosen === 'basic'
                  ? { user: '', password: '' }
                  : chosen === 'header'
                    ? { header: 'Authorization', value: '' }
                    : null,
            })
          }
        />
        {credentials && 'user' in credentials && (
          <Group gap="sm">
            <TextInput
              label={user}
              flex="1 1 160px"
              autoComplete="off"
              value={credentials.user}
              onChange={({ currentTarget }) => onChange({ credentials: { ...credentials, user: currentTarget.value } })}
            />
            <TextInput
              label={password}
              flex="1 1 160px"
              type="password"
              autoComplete="new-password"
              value={credentials.password}
              onChange={({ currentTarget }) =>
                onChange({ credentials: { ...credentials, password: currentTarget.value } })
              }
            />
          </Group>
        )}
        {credentials && 'header' in credentials && (
          <Group gap="sm">
            <TextInput
              label="Header"
              flex="1 1 160px"
              value={credentials.header}
              onChange={({ currentTarget }) =>
                onChange({ credentials: { ...credentials, header: currentTarget.value } })
              }
            />
            <TextInput
              label="Value"
              flex="2 1 220px"
              type="password"
              autoComplete="new-password"
              value={credentials.value}
              onChange={({ currentTarget }) =>
                onChange({ credentials: { ...credentials, value: currentTarget.value } })
              }
            />
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
