import { Code, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schemas } from '../../../api/types';
import { api, bodyOf, keyOf } from '../../../api/client';
import { ProblemError } from '../../../api/problem-error';
import { useProjectId } from '../../../address/project-context';

export type CleaningRule = Schemas['PathCleaningFilterDto'];

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** The same rewrites in the same order as those of paths: first without the last slash, and a dot matches no line break. */
const statementOf = (page: string, rules: readonly CleaningRule[]): string => {
  const trimmed = page.length > 1 && page.endsWith('/') ? page.slice(0, -1) : page;
  const cleaned = rules.reduce(
    (inner, { regex, alias }) => `replaceRegexpAll(${inner}, ${literal(`(?-s)${regex}`)}, ${literal(alias)})`,
    literal(trimmed),
  );
  return `select ${cleaned} as page`;
};

/** The statement is the page's own, so a refusal can only be about the rewrites in it. */
const faultOf = (error: Error | null): string | null =>
  error instanceof ProblemError && error.problem.status === 400
    ? 'One of the rewrites is not valid. Save them to see which.'
    : (error?.message ?? null);

/** Lets the database rewrite one address, because regular expressions of the browser follow other rules. */
export function CleaningTrial({ rules }: { rules: readonly CleaningRule[] }) {
  const projectId = useProjectId();
  const [page, setPage] = useState('');
  const [statement] = useDebouncedValue(
    statementOf(
      page,
      rules.filter(({ regex }) => regex !== ''),
    ),
    400,
  );
  const { data, error } = useQuery({
    queryKey: keyOf('/api/projects/{project_id}/query', projectId, statement),
    queryFn: ({ signal }) =>
      bodyOf(
        api.POST('/api/projects/{project_id}/query', {
          params: { path: { project_id: projectId } },
          body: { query: statement, limit: 1 },
          signal,
        }),
      ),
    enabled: page !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap={6}>
      <TextInput
        label="Try a URL"
        placeholder="/users/42/orders"
        maxLength={2000}
        value={page}
        onChange={({ currentTarget }) => setPage(currentTarget.value)}
        error={page === '' ? null : faultOf(error)}
      />
      {page !== '' && data && !error && (
        <Text size="sm" component="div" aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
          Paths would show <Code>{String(data.results[0]?.[0])}</Code>
        </Text>
      )}
    </Stack>
  );
}
