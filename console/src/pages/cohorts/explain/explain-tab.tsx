import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer } from '../../../api/client';
import { type Criterion } from '../../../api/types';
import { textOf, useQuestion } from '../../../address/search';
import { useAccountTypes } from '../../../filters/account-types';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { seenText } from '../../../filters/criterion-text';
import { Explanation } from '../../../filters/explanation';
import { formatCount } from '../../../ui/format';
import { isRecord, type Criterion as Definition } from '../builder/definition';
import { sentenceOf } from '../builder/sentence';
import { type CohortProps } from '../cohort';
import { Select } from '../../../ui/select';

/** Why one person is, or is not, a member. */
export function ExplainTab({ projectId, cohort }: CohortProps) {
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
        <Reasons projectId={projectId} cohort={cohort} personId={personId} />
      )}
    </Stack>
  );
}

/** The part of the cohort that a path names: `filters.properties.values.0`. */
const partAt = (cohort: unknown, path: string): Definition | null => {
  const part = path
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], cohort);
  return isRecord(part) ? part : null;
};

/** Of events it counts, and of a property or a cohort it saw a value. */
const seenOf = (criterion: Criterion): string => {
  const times = isRecord(criterion.seen) ? criterion.seen['times'] : undefined;
  return typeof times === 'number' ? `Seen: ${formatCount(times, 'time')}.` : seenText(criterion);
};

function Reasons({ projectId, cohort, personId }: CohortProps & { readonly personId: string }) {
  const names = { cohortName: cohortNameIn(useCohorts()), types: useAccountTypes() };
  const { filters, groups } = cohort;
  return (
    <Explanation
      cohort={cohort}
      personId={personId}
      head={(isMember) => (
        <Group gap="sm" role="status">
          <Badge color={isMember ? 'teal' : 'gray'} variant="light" tt="none" size="lg">
            {isMember ? 'A member now' : 'Not a member now'}
          </Badge>
          <Anchor component={Link} to={`/p/${projectId}/persons/${personId}`} size="sm">
            Open the person
          </Anchor>
        </Group>
      )}
      textOf={({ path, criterion, key }) => {
        const definition = partAt({ filters, groups }, path);
        return `They ${definition ? sentenceOf(definition, names) : `${criterion} ${key}`}`;
      }}
      seenOf={seenOf}
    />
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
    ...answer('/api/projects/{project_id}/persons', {
      path: { project_id: projectId },
      query: { limit: 20, search: search || undefined },
    }),
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({
    ...answer('/api/projects/{project_id}/persons/{id}', { path: { project_id: projectId, id: value ?? '' } }),
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
