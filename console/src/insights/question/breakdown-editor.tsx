import { ActionIcon, Button, Group, MultiSelect, NumberInput, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { use, useState } from 'react';
import { type AccountType } from '../../api/types';
import { cohortChoices, useCohorts } from '../../filters/cohorts';
import { AtEventContext, MembershipTime } from '../../filters/membership-time';
import { PropertyPicker } from '../../filters/pickers';
import { accountLines, ownerOfValue, ownerValue, type PropertyOwner } from '../../filters/properties';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { breakdownFields, maxBreakdowns, readBreakdowns, type Breakdown } from './breakdowns';
import { Select } from '../../ui/select';

const sourceLines = (types: readonly AccountType[], current: string) => [
  { value: 'event', label: 'Event' },
  { value: 'person', label: 'Person' },
  ...accountLines(types, current),
  { value: 'cohort', label: 'Cohorts' },
];

const newBreakdown = (source: string | null): Breakdown =>
  source === 'cohort' ? { type: source, property: ['all'] } : { ...ownerOfValue(source), property: '' };

/** By which properties or cohorts the numbers are split. */
export function BreakdownEditor({ question, change }: EditorProps) {
  const { types } = useActors();
  const breakdowns = readBreakdowns(question);
  const [added, setAdded] = useState<number | null>(null);
  const set = (list: readonly Breakdown[]): void =>
    change({ ...breakdownFields(list), ...(list.length === 0 ? { breakdown_limit: undefined } : {}) });
  const setAt = (index: number, breakdown: Breakdown): void =>
    set(breakdowns.map((old, at) => (at === index ? breakdown : old)));
  return (
    <Stack gap="xs">
      {breakdowns.map((breakdown, index) => (
        <Group key={index} gap="xs">
          <Select
            aria-label={`Breakdown ${index + 1}: source`}
            w={140}
            data={sourceLines(types, ownerValue(breakdown))}
            value={ownerValue(breakdown)}
            allowDeselect={false}
            onChange={(source) => setAt(index, newBreakdown(source))}
          />
          {breakdown.type === 'cohort' ? (
            <>
              <CohortsPicker
                label={`Breakdown ${index + 1}: cohorts`}
                value={typeof breakdown.property === 'string' ? [breakdown.property] : breakdown.property}
                onChange={(property) => setAt(index, { ...breakdown, property })}
              />
              <MembershipTime
                label={`Breakdown ${index + 1}: when the person is in the cohort`}
                value={breakdown}
                onChange={(changed) => setAt(index, changed)}
              />
            </>
          ) : (
            <PropertyPicker
              label={`Breakdown ${index + 1}: property`}
              owner={breakdown as PropertyOwner}
              value={typeof breakdown.property === 'string' && breakdown.property !== '' ? breakdown.property : null}
              flex="1 1 110px"
              autoFocus={index === added}
              onChange={(key) => setAt(index, { ...breakdown, property: key ?? '' })}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Breakdown ${index + 1}: remove`}
            onClick={() => set(breakdowns.toSpliced(index, 1))}
          >
            <IconTrash size={17} />
          </ActionIcon>
          {index === 0 && breakdown.type !== 'cohort' && (
            <NumberInput
              aria-label="Number of values shown; the rest are grouped"
              w={84}
              min={1}
              max={1000}
              prefix="top "
              allowDecimal={false}
              clampBehavior="blur"
              value={typeof question.breakdown_limit === 'number' ? question.breakdown_limit : 25}
              onChange={(limit) =>
                change(
                  { breakdown_limit: typeof limit === 'number' && limit !== 25 ? limit : undefined },
                  { replace: true },
                )
              }
            />
          )}
        </Group>
      ))}
      {breakdowns.length < maxBreakdowns && (
        <Group>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              setAdded(breakdowns.length);
              set([...breakdowns, newBreakdown('event')]);
            }}
          >
            Break down by
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function CohortsPicker({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: readonly (string | number)[];
  readonly onChange: (ids: (string | number)[]) => void;
}) {
  const { groupType, noun } = useActors();
  // Trends split events, which have persons and accounts; a funnel splits those whom it counts.
  const splitsEvents = use(AtEventContext);
  const chosen = value.filter((id) => id !== 'all').map(String);
  const cohorts = useCohorts().filter(
    (cohort) => splitsEvents || cohort.group_type_index === groupType || chosen.includes(String(cohort.id)),
  );
  return (
    <MultiSelect
      aria-label={label}
      flex="1 1 240px"
      maw={480}
      searchable
      maxValues={25}
      data={[{ value: 'all', label: `All ${noun[1]}` }, ...cohortChoices(cohorts, [])]}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map((id) => (id === 'all' ? id : Number(id))))}
    />
  );
}
