import {
  ActionIcon,
  Button,
  Group,
  Input,
  JsonInput,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { DecimalInput } from '../../../ui/decimal-input';
import { formatNumber } from '../../../ui/format';
import { equalShares, jsonFault, newVariant, sumOf, type FlagDraft, type VariantDraft } from './draft';

interface VariantsEditorProps {
  readonly draft: FlagDraft;
  readonly onChange: (change: Partial<FlagDraft>) => void;
}

const maxVariants = 50;

/** What those get for whom the flag is on: on alone, or one of several variants; each with a payload. */
export function VariantsEditor({ draft, onChange }: VariantsEditorProps) {
  const { variants, payload, conditions } = draft;
  const hasVariants = variants.length > 0;
  const setVariants = (changed: readonly VariantDraft[]): void =>
    onChange({
      variants: changed,
      conditions: conditions.map((condition) =>
        changed.some(({ id }) => id === condition.variant) ? condition : { ...condition, variant: null },
      ),
    });
  const shared = (changed: readonly VariantDraft[]): readonly VariantDraft[] => {
    const shares = equalShares(changed.length);
    return changed.map((variant, at) => ({ ...variant, share: shares[at] ?? 0 }));
  };
  const set = (at: number, change: Partial<VariantDraft>): void =>
    onChange({ variants: variants.map((variant, index) => (index === at ? { ...variant, ...change } : variant)) });
  const sum = sumOf(draft);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="What the flag is"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'switch', label: 'On or off' },
          { value: 'variants', label: 'Variants' },
        ]}
        value={hasVariants ? 'variants' : 'switch'}
        onChange={(chosen) =>
          setVariants(chosen === 'variants' ? [newVariant('control', 50), newVariant('test', 50)] : [])
        }
      />
      {!hasVariants && (
        <PayloadInput
          label="Payload"
          description="JSON that code gets with “on”; optional"
          value={payload}
          onChange={(text) => onChange({ payload: text })}
        />
      )}
      {variants.map((variant, at) => (
        <Paper key={variant.id} withBorder p="sm" role="group" aria-label={`Variant ${at + 1}`}>
          <Stack gap="xs">
            <Group gap="xs" align="flex-end" wrap="wrap">
              <TextInput
                label="Key"
                required
                flex="1 1 140px"
                maxLength={400}
                value={variant.key}
                onChange={({ currentTarget }) => set(at, { key: currentTarget.value })}
              />
              <TextInput
                label="Description"
                flex="2 1 180px"
                maxLength={1000}
                value={variant.name}
                onChange={({ currentTarget }) => set(at, { name: currentTarget.value })}
              />
              <DecimalInput
                label="Percentage"
                w={110}
                min={0}
                max={100}
                decimalScale={2}
                suffix="%"
                value={variant.share}
                onChange={(value) => set(at, { share: value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove variant ${at + 1}`}
                onClick={() => setVariants(variants.filter((_, index) => index !== at))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
            <PayloadInput label="Payload" value={variant.payload} onChange={(text) => set(at, { payload: text })} />
          </Stack>
        </Paper>
      ))}
      {hasVariants && (
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={variants.length >= maxVariants}
              onClick={() => setVariants(shared([...variants, newVariant('', 0)]))}
            >
              Add a variant
            </Button>
            <Button size="xs" variant="subtle" onClick={() => setVariants(shared(variants))}>
              Distribute evenly
            </Button>
          </Group>
          <Text
            size="sm"
            role="status"
            className="numbers"
            fw={600}
            c={sum === 100 ? 'dimmed' : 'var(--mantine-color-error)'}
          >
            {sum === 100
              ? 'Together 100%'
              : `Together ${formatNumber(sum)}%: ${formatNumber(Math.abs(100 - sum))}% too ${sum > 100 ? 'much' : 'little'}`}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

interface PayloadInputProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function PayloadInput({ label, description, value, onChange }: PayloadInputProps) {
  const fault = jsonFault(value);
  return (
    <div>
      <JsonInput
        label={label}
        description={description}
        placeholder='{"color": "green"}'
        autosize
        minRows={1}
        maxRows={12}
        formatOnBlur
        error={fault !== null}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={value}
        onChange={onChange}
      />
      {fault !== null && (
        <Input.Error mt={4} role="alert">
          {fault}
        </Input.Error>
      )}
    </div>
  );
}
