import { ActionIcon, Group, Paper, Slider, Stack, Text, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { type Schemas } from '../../../api/types';
import { capital, nounOfIndex } from '../../../filters/account-words';
import { useAccountTypes } from '../../../filters/account-types';
import { FilterBuilder, type FilterKind } from '../../../filters/filter-builder';
import { DecimalInput } from '../../../ui/decimal-input';
import { formatCount, formatNumber, type Noun } from '../../../ui/format';
import { Select } from '../../../ui/select';
import { type ConditionDraft, type FlagDraft } from './draft';

interface ConditionCardProps {
  readonly draft: FlagDraft;
  readonly at: number;
  readonly condition: ConditionDraft;
  /** How many match it, and for how many it decides. */
  readonly counted: Schemas['ConditionCountDto'] | undefined;
  readonly refusal: string | null;
  readonly onChange: (condition: ConditionDraft) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
}

const ofPersons: readonly FilterKind[] = ['person', 'cohort'];

/** Whom one condition is about, how many of them, and what they get. */
export function ConditionCard(props: ConditionCardProps) {
  const { draft, at, condition, counted, refusal, onChange, onMove, onCopy, onRemove } = props;
  const types = useAccountTypes();
  const { groupType: ofFlag, variants } = draft;
  const { own = ofFlag, filter, share, variant } = condition;
  const [one, many]: Noun = own === null ? ['person', 'persons'] : nounOfIndex(types, own);
  const isOther = own !== ofFlag;
  const name = `Condition ${at + 1}`;
  const set = (change: Partial<ConditionDraft>): void => onChange({ ...condition, ...change });
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Group gap="sm" style={{ rowGap: 0 }}>
            <Title order={3} size="h5">
              {name}
            </Title>
            {counted !== undefined && (
              <Text size="sm" c="dimmed" className="numbers">
                {isOther
                  ? `About ${many}, who are not counted here`
                  : `${formatCount(counted.matched, one, many)} match, ${formatNumber(counted.decided)} get it here`}
              </Text>
            )}
          </Group>
          <Group gap={2} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={at === 0}
              aria-label={`Move condition ${at + 1} up`}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={at === draft.conditions.length - 1}
              aria-label={`Move condition ${at + 1} down`}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={`Duplicate condition ${at + 1}`} onClick={onCopy}>
              <IconCopy size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove condition ${at + 1}`} onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
        <div>
          <Text size="sm" mb={6}>
            {filter.values.length === 0 ? `All ${many}.` : `${capital(many)} for whom all of these hold:`}
          </Text>
          <FilterBuilder
            isList
            kinds={own === null ? ofPersons : [`group:${own}`]}
            value={filter}
            onChange={(changed) => set({ filter: changed })}
          />
        </div>
        <Group gap="sm" align="center">
          <Text size="sm">Of these</Text>
          <DecimalInput
            aria-label={`${name}: percentage`}
            w={110}
            min={0}
            max={100}
            clampBehavior="strict"
            decimalScale={2}
            suffix="%"
            value={share}
            onChange={(value) => set({ share: value })}
          />
          <Slider
            flex="1 1 120px"
            maw={260}
            label={null}
            value={share === '' ? 0 : share}
            onChange={(value) => set({ share: value })}
            thumbLabel={`${name}: percentage by hand`}
          />
          <Text size="sm">{variants.length === 0 ? 'get it' : 'get'}</Text>
          {variants.length > 0 && (
            <Select
              aria-label={`${name}: variant`}
              w={220}
              data={[
                { value: 'any', label: 'a variant by percentages' },
                ...variants.map(({ id, key }, index) => ({
                  value: String(id),
                  label: key === '' ? `variant ${index + 1}` : key,
                })),
              ]}
              value={variant === null ? 'any' : String(variant)}
              allowDeselect={false}
              onChange={(chosen) => set({ variant: chosen === null || chosen === 'any' ? null : Number(chosen) })}
            />
          )}
        </Group>
        {refusal !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {refusal}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
