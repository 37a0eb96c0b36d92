import { ActionIcon, Group, Loader, Paper, Skeleton, Stack, Title, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { getJson } from '../../api/client';
import { useProjectId } from '../../app/project-context';
import { useQuestion } from '../../app/search';
import { Page } from '../../ui/page';
import { PersonsDrawer, type PersonsBehind } from '../../ui/persons-drawer';
import { ProblemAlert } from '../../ui/problem-alert';
import { AsOf } from './answer/as-of';
import { NumbersTableView } from './answer/numbers-table';
import { type InsightHead, type InsightKind, type Point } from './kind';
import { addressOf, paramsOf } from './question/params';
import { RangeControls } from './question/range-controls';
import { Toolbar } from './toolbar/toolbar';

/** A question, its picture, its numbers and the persons behind them. */
export function Insight({ kind }: { readonly kind: InsightKind }) {
  const projectId = useProjectId();
  const [question, change] = useQuestion();
  const params = paramsOf(question, kind);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['insight', projectId, kind.name, params],
    queryFn: async ({ signal }) => {
      const address = addressOf(projectId, kind.route, { ...params, include: 'insight' });
      const { insight } = await getJson<{ insight: InsightHead }>(address, signal);
      return { insight, params };
    },
    placeholderData: keepPreviousData,
  });
  const answer = data && !error ? data : null;

  const [toPng, setToPng] = useState<(() => string) | null>(null);
  const onPicture = useCallback((draw: (() => string) | null) => setToPng(() => draw), []);

  const [behind, setBehind] = useState<PersonsBehind | null>(null);
  const openPersons = useCallback(
    ({ title, number, params: selected, others = [] }: Point): void => {
      if (!data) return;
      const personsOf = (own: Point['params']): string =>
        addressOf(projectId, kind.route, { ...data.params, ...own, include: 'persons' });
      setBehind({
        title,
        number,
        address: personsOf(selected),
        others: others.map(({ label, params: own }) => ({ label, address: personsOf(own) })),
      });
    },
    [data, kind.route, projectId],
  );

  return (
    <Page
      title={kind.label}
      description={kind.description}
      actions={<Toolbar kind={kind} params={params} answer={answer} toPng={answer && toPng} />}
    >
      <kind.Editor question={question} change={change} />
      <Paper withBorder p="md" component="section" aria-label="Answer">
        <Stack gap="sm">
          <Group gap="xs" justify="space-between">
            <Group gap="xs">
              {kind.hasNoRange !== true && (
                <RangeControls question={question} change={change} hasInterval={kind.hasNoInterval !== true} />
              )}
              {kind.Options && <kind.Options question={question} change={change} />}
            </Group>
            <Group gap="xs" wrap="nowrap">
              {isFetching ? <Loader size="xs" aria-label="Loading the answer" /> : null}
              <Tooltip label="Ask again">
                <ActionIcon variant="subtle" color="gray" aria-label="Ask again" onClick={() => void refetch()}>
                  <IconRefresh size={17} />
                </ActionIcon>
              </Tooltip>
            </Group>
          </Group>
          {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
          {!answer && !error && <Skeleton h={340} aria-label="Loading the answer" />}
          {answer && (
            <>
              <VisuallyHidden>
                <Title order={2}>Answer</Title>
              </VisuallyHidden>
              <kind.Answer
                insight={answer.insight}
                params={answer.params}
                change={change}
                openPersons={openPersons}
                onPicture={onPicture}
              />
              <AsOf insight={answer.insight} />
            </>
          )}
        </Stack>
      </Paper>
      {answer && kind.isTable !== true && (
        <NumbersTableView table={kind.tableOf(answer.insight, answer.params)} openPersons={openPersons} />
      )}
      <PersonsDrawer behind={behind} onClose={() => setBehind(null)} />
    </Page>
  );
}
