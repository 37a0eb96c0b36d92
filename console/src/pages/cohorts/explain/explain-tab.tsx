import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer } from '../../../api/client';
import { type Criterion } from '../../../api/types';
import { textOf, useQuestion } from '../../../address/search';
import { capital, oneOf } from '../../../filters/account-words';
import { cohortNameIn, useCohorts } from '../../../filters/cohorts';
import { seenText } from '../../../filters/criterion-text';
import { Explanation } from '../../../filters/explanation';
import { useActors } from '../../../insights/actors';
import { formatCount } from '../../../ui/format';
import { isRecord, type Criterion as Definition } from '../builder/definition';
import { sentenceOf } from '../builder/sentence';
import { type CohortProps } from '../cohort';
import { Select } from '../../../ui/select';

/** Why one person or account is, or is not, a member. */
export function ExplainTab({ projectId, cohort }: CohortProps) {
  const [question, ask] = useQuestion();
  const { groupType, noun } = useActors();
  const field = groupType === null ? 'person' : 'account';
  const id = textOf(question[field]) ?? null;
  const Picker = groupType === null ? PersonPicker : AccountPicker;
  return (
    <Stack gap="md">
      <Picker projectId={projectId} value={id} onChange={(chosen) => ask({ [field]: chosen ?? undefined })} />
      {id === null ? (
        <Text size="sm" c="dimmed">
          Choose {oneOf(noun)} to see which criteria hold, and what was seen for each.
        </Text>
      ) : (
        <Reasons projectId={projectId} cohort={cohort} id={id} />
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
  const { times, persons } = isRecord(criterion.seen) ? criterion.seen : {};
  if (typeof persons === 'number') return `Seen: ${formatCount(persons, 'person')}.`;
  return typeof times === 'number' ? `Seen: ${formatCount(times, 'time')}.` : seenText(criterion);
};

function Reasons({ projectId, cohort, id }: CohortProps & { readonly id: string }) {
  const { groupType, noun, types } = useActors();
  const names = { cohortName: cohortNameIn(useCohorts()), types, groupType };
  const page = groupType === null ? 'persons' : 'accounts';
  const { filters, groups } = cohort;
  return (
    <Explanation
      cohort={cohort}
      of={groupType === null ? { person_id: id } : { group_id: id }}
      one={noun[0]}
      head={(isMember) => (
        <Group gap="sm" role="status">
          <Badge color={isMember ? 'teal' : 'gray'} variant="light" tt="none" size="lg">
            {isMember ? 'A member now' : 'Not a member now'}
          </Badge>
          <Anchor component={Link} to={`/p/${projectId}/${page}/${id}`} size="sm">
            Open the {noun[0]}
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

interface MemberPickerProps {
  readonly projectId: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** Finds a person by e-mail, name or distinct id. */
function PersonPicker({ projectId, value, onChange }: MemberPickerProps) {
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
  return (
    <FoundPicker
      label="Person"
      placeholder="E-mail, name, distinct id or UUID"
      value={value}
      options={(found.data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
      chosen={chosen.data?.name}
      isSearching={found.isFetching}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}

/** Finds an account of the cohort's type by name, key or e-mail. */
function AccountPicker({ projectId, value, onChange }: MemberPickerProps) {
  const { groupType, noun } = useActors();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const found = useQuery({
    ...answer('/api/projects/{project_id}/groups', {
      path: { project_id: projectId },
      query: { group_type_index: groupType ?? 0, limit: 20, search: search || undefined },
    }),
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({
    ...answer('/api/projects/{project_id}/groups/{id}', { path: { project_id: projectId, id: Number(value) } }),
    enabled: value !== null,
  });
  return (
    <FoundPicker
      label={capital(noun[0])}
      placeholder="Name, key or e-mail"
      value={value}
      options={(found.data?.results ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      chosen={chosen.data?.name}
      isSearching={found.isFetching}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}

interface FoundPickerProps extends Pick<MemberPickerProps, 'value' | 'onChange'> {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The name of the chosen one, which need not be among those that were found. */
  readonly chosen: string | undefined;
  readonly isSearching: boolean;
  readonly onSearchChange: (typed: string) => void;
}

function FoundPicker({ value, options, chosen, isSearching, ...props }: FoundPickerProps) {
  const isListed = value === null || options.some((option) => option.value === value);
  return (
    <Select
      {...props}
      maw={420}
      searchable
      clearable
      value={value}
      data={isListed ? [...options] : [{ value, label: chosen ?? value }, ...options]}
      // The service has searched already, in fields that the label does not show.
      filter={({ options: all }) => all}
      nothingFoundMessage={isSearching ? 'Searching…' : `No such ${props.label.toLowerCase()}`}
    />
  );
}
