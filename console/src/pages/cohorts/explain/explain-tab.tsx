import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { textOf, useQuestion } from '../../../address/search';
import { type OfCohort } from '../existing-cohort';
import { Explanation } from './explanation';
import { Select } from '../../../ui/select';

/** Why one person is, or is not, a member. */
export function ExplainTab({ projectId, cohort }: OfCohort) {
  const [question, ask] = useQuestion();
  const personId = textOf(question['person']) ?? null;
  return (
    <Stack gap="md">
      <PersonPicker
        projectId={projectId}
        value={personId}
        onChange={(person) => ask({ person: person ?? undefined })}
      />
      {personId === null ? (
        <Text size="sm" c="dimmed">
          Choose a person to see which criteria hold, and what was seen for each.
        </Text>
      ) : (
        <Explanation projectId={projectId} cohort={cohort} personId={personId} />
      )}
    </Stack>
  );
}

interface PersonPickerProps {
  readonly projectId: string;
  readonly value: string | null;
  readonly onChange: (uuid: string | null) => void;
}

/** Finds a person by e-mail, name or distinct id. */
function PersonPicker({ projectId, value, onChange }: PersonPickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const found = useQuery({
    queryKey: ['persons', projectId, 'picker', search],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/persons', {
          params: { path: { project_id: projectId }, query: { limit: 20, ...(search === '' ? {} : { search }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({
    queryKey: ['person', projectId, value, 'record'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{project_id}/persons/{id}', {
          params: { path: { project_id: projectId, id: value ?? '' } },
          signal,
        }),
      ),
    enabled: value !== null,
  });
  const options = (found.data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }));
  const isListed = value === null || options.some((option) => option.value === value);
  return (
    <Select
      label="Person"
      placeholder="E-mail, name, distinct id or UUID"
      maw={420}
      searchable
      clearable
      value={value}
      data={isListed ? options : [{ value, label: chosen.data?.name ?? value }, ...options]}
      // The service has searched already, in fields that the label does not show.
      filter={({ options: all }) => all}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No such person'}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
