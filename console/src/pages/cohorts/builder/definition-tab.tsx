import { Anchor, Code, Paper, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useActors } from '../../../insights/actors';
import { notifyDone } from '../../../ui/notify';
import { type CohortDefinition } from './definition';
import { DefinitionBuilder } from './definition-builder';
import { type CohortProps, patchCohort, useCohortChange } from '../cohort';

/** The criteria of a dynamic cohort in the builder; of a cohort of a query, its text. */
export function DefinitionTab({ projectId, cohort }: CohortProps) {
  const save = useCohortChange(projectId, (filters: CohortDefinition) => patchCohort(projectId, cohort, { filters }), {
    onDone: () => notifyDone('Definition saved. Members are being recalculated.'),
  });
  if (cohort.query !== null) return <QueryText projectId={projectId} query={cohort.query} />;
  return (
    <DefinitionBuilder
      stored={cohort.filters}
      ownId={cohort.id}
      saveLabel="Save"
      canSave={!cohort.deleted}
      isSaving={save.isPending}
      saveError={save.error}
      onSave={save.mutate}
    />
  );
}

/** The text and its values, in whichever form the query was sent. */
const partsOf = (query: unknown): { readonly text: string; readonly values: unknown } => {
  if (typeof query === 'string') return { text: query, values: undefined };
  if (typeof query !== 'object' || query === null) return { text: '', values: undefined };
  if ('source' in query) return partsOf(query.source);
  const { query: text, values } = query as { query?: unknown; values?: unknown };
  return { text: typeof text === 'string' ? text : JSON.stringify(query, null, 2), values };
};

function QueryText({ projectId, query }: { readonly projectId: string; readonly query: unknown }) {
  const navigate = useNavigate();
  const [, many] = useActors().noun;
  const { text, values } = partsOf(query);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        The members are the {many} that this query selects. It runs again when the cohort is recalculated.
      </Text>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </Paper>
      {values !== undefined && values !== null && Object.keys(values).length > 0 && (
        <Code block tabIndex={0}>
          {JSON.stringify(values, null, 2)}
        </Code>
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => void navigate({ to: '/p/$projectId/sql', params: { projectId }, search: { q: text } })}
      >
        Open in SQL
      </Anchor>
    </Stack>
  );
}
