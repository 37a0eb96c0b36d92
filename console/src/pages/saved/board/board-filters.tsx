import { ActionIcon, Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type Dashboard } from '../../../api/types';
import { type Question } from '../../../address/search';
import { FilterBuilder, type FilterKind } from '../../../filters/filter-builder';
import { completeFilter, isGroup, readFilter, type FilterGroup } from '../../../filters/filter';
import { ActorsContext, useActorsOf } from '../../../insights/actors';
import { BreakdownEditor } from '../../../insights/question/breakdown-editor';
import { completeBreakdowns, readBreakdowns } from '../../../insights/question/breakdowns';
import { useDraft } from '../../../insights/question/use-draft';
import { labelOf } from '../../../ui/date-range';
import { DateRangePicker } from '../../../ui/date-range-picker';

export type Filters = Dashboard['filters'];

/** The filters of the address, which count in place of those that are saved; null if there are none. */
export const filtersIn = ({ filters }: Question): Filters | null =>
  typeof filters === 'object' && filters !== null
    ? { date_from: null, date_to: null, properties: [], breakdown_filter: null, ...filters }
    : null;

/** Without what is still being written, as a request takes them. */
export const completeFilters = ({ properties, breakdown_filter: breakdown, ...range }: Filters): Filters => {
  const filter = completeFilter(readFilter(properties));
  const breakdowns = completeBreakdowns(readBreakdowns(breakdown ?? {}));
  return {
    ...range,
    properties: filter.values.length === 0 ? [] : (filter as unknown as Filters['properties']),
    breakdown_filter: breakdowns.length === 0 ? null : breakdown,
  };
};

const countOf = ({ values }: FilterGroup): number =>
  values.reduce((sum, node) => sum + (isGroup(node) ? countOf(node) : 1), 0);

const kinds: readonly FilterKind[] = ['event', 'person', 'group', 'cohort'];
const noActors = {};
const ownRange = 'Range of each insight';

interface BoardFiltersProps {
  readonly filters: Filters;
  /** True if they are other ones than those that are saved. */
  readonly isChanged: boolean;
  readonly onChange: (filters: Filters, options?: { replace?: boolean }) => void;
  readonly onDiscard: () => void;
  /** Null if the user may not change the dashboard. */
  readonly onSave: (() => void) | null;
}

/** A range, filters and a breakdown for all tiles: in the address at first, and for everybody once they are saved. */
export function BoardFilters({ filters, isChanged, onChange, onDiscard, onSave }: BoardFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const actors = useActorsOf(noActors);
  const [filter, setFilter] = useDraft(readFilter(filters.properties), (group) =>
    onChange({ ...filters, properties: group as unknown as Filters['properties'] }),
  );
  const breakdown = filters.breakdown_filter ?? {};
  const count = countOf(filter) + readBreakdowns(breakdown).length;
  const range = { date_from: filters.date_from ?? undefined, date_to: filters.date_to ?? undefined };
  return (
    <Stack gap="xs">
      <Text size="sm" className="only-print">
        {labelOf(range, ownRange)}
        {count > 0 && `, ${count} ${count === 1 ? 'filter' : 'filters'}`}
      </Text>
      <Group gap="xs" className="no-print">
        <DateRangePicker
          value={range}
          onChange={(next) =>
            onChange({ ...filters, date_from: next.date_from ?? null, date_to: next.date_to ?? null })
          }
          fallback={ownRange}
        />
        {filters.date_from !== null && (
          <Tooltip label={ownRange}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Use the range of each insight"
              onClick={() => onChange({ ...filters, date_from: null, date_to: null })}
            >
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <Button
          variant={isOpen ? 'light' : 'default'}
          leftSection={<IconFilter size={16} aria-hidden />}
          rightSection={count > 0 && <Badge circle>{count}</Badge>}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters
        </Button>
        {isChanged && (
          <>
            <Text size="sm" c="dimmed" visibleFrom="sm">
              Only in this view
            </Text>
            {onSave && (
              <Button variant="light" onClick={onSave}>
                Save for everyone
              </Button>
            )}
            <Button variant="subtle" onClick={onDiscard}>
              Discard
            </Button>
          </>
        )}
      </Group>
      {isOpen && (
        <Paper withBorder p="md" className="no-print" component="section" aria-label="Filters for all tiles">
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Stack gap="xs">
              <Text size="sm" fw={600}>
                Only events that match
              </Text>
              <FilterBuilder value={filter} onChange={setFilter} kinds={kinds} />
            </Stack>
            <Stack gap="xs">
              <Text size="sm" fw={600}>
                Break down trends and funnels
              </Text>
              <ActorsContext value={actors}>
                <BreakdownEditor
                  question={breakdown}
                  change={(fields, options) => {
                    const given = Object.entries({ ...breakdown, ...fields }).filter(
                      ([, value]) => value !== undefined,
                    );
                    onChange(
                      { ...filters, breakdown_filter: given.length === 0 ? null : Object.fromEntries(given) },
                      options,
                    );
                  }}
                />
              </ActorsContext>
            </Stack>
          </SimpleGrid>
        </Paper>
      )}
    </Stack>
  );
}
