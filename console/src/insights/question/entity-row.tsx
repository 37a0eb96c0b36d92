import { ActionIcon, Badge, Group, Indicator, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconFilter, IconTrash } from '@tabler/icons-react';
import { FilterBuilder, type FilterKind } from '../../filters/filter-builder';
import { readFilter } from '../../filters/filter';
import { PropertyPicker } from '../../filters/pickers';
import { useActors } from '../actors';
import { letterOf, type Entity } from './entities';
import { EntityPicker } from './entity-picker';
import { mathGroups, mathOfValue, mathValue, needsProperty } from './maths';
import { useDraft } from './use-draft';
import { Select } from '../../ui/select';

const kinds: readonly FilterKind[] = ['event', 'person', 'group', 'cohort'];

export interface EntityRowProps {
  readonly entity: Entity;
  readonly index: number;
  /** "Series" or "Step": how labels name the row. */
  readonly noun: string;
  readonly hasMath: boolean;
  /** True if the user has just added the row, whose event is chosen next. */
  readonly isNew?: boolean;
  readonly onChange: (entity: Entity) => void;
  readonly onCopy?: () => void;
  readonly onRemove?: () => void;
}

/** One series or step: what is counted, how, and with which filters of its own. */
export function EntityRow({ entity, index, noun, hasMath, isNew = false, onChange, onCopy, onRemove }: EntityRowProps) {
  const mark = noun === 'Series' ? letterOf(index) : String(index + 1);
  const [filter, setFilter] = useDraft(readFilter(entity.properties), (properties) =>
    onChange({ ...entity, properties: properties.values.length === 0 ? undefined : properties }),
  );
  const actors = useActors();
  const count = filter.values.length;
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  const named = `${noun} ${mark}`;
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="wrap">
        <Badge variant="light" radius="sm" size="lg" w={34} px={0} aria-hidden>
          {mark}
        </Badge>
        <EntityPicker
          label={`${named}: event`}
          value={entity}
          autoFocus={isNew}
          onChange={({ type, id }) => onChange({ ...entity, type, id, name: undefined, any_of: undefined })}
        />
        {hasMath && (
          <Select
            aria-label={`${named}: what is counted`}
            flex="0 1 205px"
            searchable
            allowDeselect={false}
            data={mathGroups(actors)}
            value={mathValue(entity)}
            onChange={(chosen) => {
              const math = mathOfValue(chosen ?? 'total');
              onChange({
                ...entity,
                ...math,
                math_property: needsProperty(math.math) ? entity.math_property : undefined,
              });
            }}
          />
        )}
        {hasMath && needsProperty(entity.math) && (
          <PropertyPicker
            label={`${named}: property`}
            owner={{ type: 'event' }}
            value={entity.math_property ?? null}
            flex="0 1 160px"
            onChange={(key) => onChange({ ...entity, math_property: key ?? undefined })}
          />
        )}
        <Group gap={4} wrap="nowrap">
          <Tooltip label="Filters">
            <Indicator label={count} size={16} disabled={count === 0} offset={4}>
              <ActionIcon
                variant={count > 0 ? 'light' : 'subtle'}
                color={count > 0 ? undefined : 'gray'}
                size="lg"
                aria-label={`${named}: filters, ${count}`}
                aria-expanded={isOpen}
                onClick={toggle}
              >
                <IconFilter size={17} />
              </ActionIcon>
            </Indicator>
          </Tooltip>
          {onCopy && (
            <Tooltip label="Duplicate">
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${named}: duplicate`} onClick={onCopy}>
                <IconCopy size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          {onRemove && (
            <Tooltip label="Remove">
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`${named}: remove`} onClick={onRemove}>
                <IconTrash size={17} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      {isOpen && (
        <Paper withBorder p="xs" ml={{ base: 0, sm: 42 }}>
          <Text size="xs" c="dimmed" mb={6}>
            Only events that match these conditions
          </Text>
          <FilterBuilder value={filter} onChange={setFilter} kinds={kinds} />
        </Paper>
      )}
    </Stack>
  );
}
