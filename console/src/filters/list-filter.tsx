import { Button, Collapse, Group, Paper } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { textOf, useQuestion } from '../address/search';
import { FilterBuilder, type FilterKind } from './filter-builder';
import { filterParam, readFilter } from './filter';
import { SearchInput } from '../ui/search-input';

/** What the address says about a list: its search, and its filter as a parameter, which follows the typing a moment later. */
export const useListFilter = () => {
  const [question, ask] = useQuestion();
  const filter = readFilter(question['filter']);
  const conditions = filterParam(filter);
  const [properties] = useDebouncedValue(conditions, 300);
  const search = textOf(question['search']) ?? '';
  return {
    query: { search: search || undefined, properties },
    isNarrowed: search !== '' || conditions !== undefined,
    clear: () => ask({ search: undefined, filter: undefined }),
  };
};

interface ListFilterProps {
  readonly label: string;
  readonly placeholder: string;
  readonly kinds?: readonly FilterKind[];
}

/** The search of a list, and a filter that a button shows. */
export function ListFilter({ label, placeholder, kinds }: ListFilterProps) {
  const [question, ask] = useQuestion();
  const filter = readFilter(question['filter']);
  const count = filter.values.length;
  const [isFiltering, setFiltering] = useState(count > 0);
  return (
    <>
      <Group gap="xs">
        <SearchInput aria-label={label} placeholder={placeholder} />
        <Button
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          {count > 0 ? `Filter (${count})` : 'Filter'}
        </Button>
      </Group>
      <Collapse expanded={isFiltering}>
        <Paper withBorder p="sm">
          <FilterBuilder
            kinds={kinds}
            value={filter}
            onChange={(changed) => ask({ filter: changed.values.length > 0 ? changed : undefined }, { replace: true })}
          />
        </Paper>
      </Collapse>
    </>
  );
}
