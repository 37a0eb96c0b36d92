import { Box, Group, Paper, Skeleton, Stack, Title, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { get, keyOf } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { type LazyPart } from '../../ui/later';
import { useQuestion } from '../../address/search';
import { Later } from '../../ui/later';
import { Page } from '../../ui/page';
import { PersonsDrawer } from '../../insights/persons/persons-drawer';
import { ProblemAlert } from '../../ui/problem-alert';
import { Warnings } from '../../ui/warnings';
import { ActorsContext, useActorsOf } from '../../insights/actors';
import { AsOf } from '../../insights/answer/as-of';
import { NumbersTableView } from '../../insights/answer/numbers-table';
import { type EditorProps, type InsightKind } from '../../insights/kind';
import { decoded, isSame, paramsOf, requestOf } from '../../insights/question/params';
import { QuestionEditor } from '../../insights/question/question-editor';
import { RangeControls } from '../../insights/question/range-controls';
import { Toolbar } from './toolbar/toolbar';
import { usePersonsBehind } from '../../insights/use-persons-behind';
import { useSavedInsight } from '../../insights/saved/use-saved-insight';

/** Drawn again when the question changes, and not when its answer comes. */
const Controls = memo(function Controls({ kind, ...props }: EditorProps & { readonly kind: InsightKind }) {
  return (
    <>
      {kind.hasNoRange !== true && <RangeControls {...props} hasInterval={kind.hasNoInterval !== true} />}
      {kind.Options && <kind.Options {...props} />}
    </>
  );
});

/** A question, its picture, its numbers and the persons behind them. */
export function Insight({ kind, Editor }: { readonly kind: InsightKind; readonly Editor: LazyPart<EditorProps> }) {
  const projectId = useProjectId();
  const [address, change] = useQuestion();
  const question = useMemo(() => decoded(address), [address]);
  const params = paramsOf(question, kind);
  const asked = useActorsOf(params);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: keyOf(kind.route, projectId, params),
    queryFn: async ({ signal }) => {
      const request = requestOf(projectId, { ...params, include: 'insight' });
      const { insight, warnings = [] } = await get(kind.route, request, signal);
      return insight && { insight, warnings, params };
    },
    placeholderData: keepPreviousData,
    // An answer costs the service more than a list, and says as of when it is.
    refetchOnWindowFocus: false,
  });
  // Drawn in short pieces, between which the browser can answer.
  const newest = data && !error ? data : null;
  const answer = useDeferredValue(newest);
  const isOld = isPlaceholderData || answer !== newest;
  const counted = useActorsOf(answer?.params ?? params);
  const table = useMemo(() => answer && kind.tableOf(answer.insight, answer.params, counted), [answer, kind, counted]);

  // Another kind of insight is another question, which is not saved yet.
  const { data: named } = useSavedInsight(question.insight);
  const saved = named?.question.type === kind.name ? named : undefined;
  const isChanged = saved !== undefined && !isSame(paramsOf(decoded(saved.question.params), kind), params);

  const [toPng, setToPng] = useState<(() => string) | null>(null);
  const onPicture = useCallback((draw: (() => string) | null) => setToPng(() => draw), []);

  const { openPersons, drawer } = usePersonsBehind(kind.route, answer?.params);

  return (
    <Page
      title={saved?.name ?? kind.label}
      description={saved ? saved.description || kind.label : kind.descriptionOf(asked.noun[1])}
      actions={
        <Later>
          <Toolbar
            kind={kind}
            params={params}
            answer={answer}
            toPng={answer && toPng}
            saved={saved}
            isChanged={isChanged}
          />
        </Later>
      }
    >
      <ActorsContext value={asked}>
        <QuestionEditor Editor={Editor} question={question} change={change} />
      </ActorsContext>
      <Paper withBorder p="md" component="section" aria-label="Answer">
        <Stack gap="sm">
          <Group gap="xs">
            <ActorsContext value={asked}>
              <Controls kind={kind} question={question} change={change} />
            </ActorsContext>
          </Group>
          {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
          {!answer && !error && <Skeleton h={340} role="status" aria-label="Loading the answer" />}
          {answer && (
            <ActorsContext value={counted}>
              <Stack gap="sm" opacity={isOld ? 0.5 : 1} aria-busy={isOld}>
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
                <Warnings warnings={answer.warnings} />
                <AsOf insight={answer.insight} isLoading={isFetching} onRefresh={() => void refetch()} />
              </Stack>
            </ActorsContext>
          )}
        </Stack>
      </Paper>
      {table && kind.isTable !== true && (
        <Box opacity={isOld ? 0.5 : 1}>
          <ActorsContext value={counted}>
            <NumbersTableView table={table} openPersons={openPersons} />
          </ActorsContext>
        </Box>
      )}
      <PersonsDrawer {...drawer} />
    </Page>
  );
}
