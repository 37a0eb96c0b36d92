import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerPlay, IconUsersPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { ProblemError } from '../../api/problem-error';
import { api, bodyOf } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { downloadText } from '../../ui/download';
import { formatNumber, formatTime } from '../../ui/format';
import { notifyProblem } from '../../ui/notify';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { Warnings } from '../../ui/warnings';
import { SaveButtons } from '../../insights/saved/save-buttons';
import { useSavedInsight } from '../../insights/saved/use-saved-insight';
import { AnswerChart, chartOf } from './answer-chart';
import { AnswerGrid } from '../../insights/sql/answer-grid';
import { ExplainedStatement } from './explained-statement';
import { SaveCohort } from './save-cohort';

const SqlEditor = lazy(() => import('./sql-editor'));

const example = `select event, count() as events, count(distinct person_id) as persons
from events
where timestamp >= now() - interval 30 day
group by event
order by events desc`;

const mostRows = 1000;

const faultOf = (error: Error | null) => {
  if (!(error instanceof ProblemError)) return null;
  const { line, column = 1, detail } = error.problem;
  return line === undefined ? null : { line, column, text: detail };
};

type View = 'table' | 'chart' | 'explain';

export function SqlPage() {
  const { project, can } = useOpenProject();
  const [question, change] = useQuestion();
  const [text, setText] = useState(textOf(question.q) ?? example);
  const [view, setView] = useState<View>('table');
  const [isSaving, setSaving] = useState(false);
  const params = { path: { project_id: String(project.id) } };

  const answer = useMutation({
    mutationFn: (query: string) =>
      bodyOf(api.POST('/api/projects/{project_id}/query', { params, body: { query, limit: mostRows } })),
    onMutate: (query) => change({ q: query }),
  });
  const explained = useMutation({
    mutationFn: (query: string) =>
      bodyOf(api.POST('/api/projects/{project_id}/query/explain', { params, body: { query } })),
  });
  const download = useMutation({
    mutationFn: async (query: string) => {
      const body = { query, format: 'csv' } as const;
      const csv = api.POST('/api/projects/{project_id}/query', { params, body, parseAs: 'stream' });
      await bodyOf(csv);
      return (await csv).response.text();
    },
    onSuccess: (text) => downloadText(text, 'text/csv', 'answer.csv'),
    onError: notifyProblem,
  });

  // A link to a statement shows its answer.
  const linked = useRef(textOf(question.q));
  const { mutate } = answer;
  useEffect(() => {
    if (linked.current !== undefined) mutate(linked.current);
    linked.current = undefined;
  }, [mutate]);

  const { data: named } = useSavedInsight(question.insight);
  const saved = named?.question.type === 'sql' ? named : undefined;

  const error = view === 'explain' ? explained.error : answer.error;
  const fault = useMemo(() => faultOf(error), [error]);
  const data = answer.data;

  const run = (): void => {
    if (view === 'explain') explained.mutate(text);
    else answer.mutate(text);
  };

  const show = (next: View): void => {
    setView(next);
    if (next === 'explain') explained.mutate(text);
  };

  return (
    <Page
      title={saved?.name ?? 'SQL'}
      description={saved?.description || 'Questions about events, persons, cohorts and sessions of this project'}
      actions={
        <SaveButtons
          question={{ type: 'sql', params: { query: text } }}
          isAside
          saved={saved}
          isChanged={saved !== undefined && saved.question.params.query !== text}
        />
      }
    >
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <Suspense fallback={<Skeleton h={180} />}>
          <SqlEditor value={text} onChange={setText} onRun={run} fault={fault} />
        </Suspense>
      </Paper>
      <Group justify="space-between">
        <Group gap="xs">
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={answer.isPending || explained.isPending}
            onClick={run}
          >
            Run
          </Button>
          <Text size="sm" c="dimmed" visibleFrom="sm">
            Ctrl or ⌘ and Enter
          </Text>
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate(text)}
          >
            CSV
          </Button>
          {can('cohort:write') && (
            <Button
              variant="default"
              leftSection={<IconUsersPlus size={16} aria-hidden />}
              disabled={!data?.columns.some((name) => name === 'person_id' || name === 'distinct_id')}
              title="For an answer with a column person_id or distinct_id"
              onClick={() => setSaving(true)}
            >
              Save as cohort
            </Button>
          )}
        </Group>
      </Group>
      {error && <ProblemAlert error={error} title="The statement has no answer" />}
      <Stack gap="sm">
        <Group justify="space-between">
          <SegmentedControl
            aria-label="How the answer is shown"
            data={[
              { value: 'table', label: 'Table' },
              { value: 'chart', label: 'Chart', disabled: !data || chartOf(data) === null },
              { value: 'explain', label: 'Explain' },
            ]}
            value={view}
            onChange={(next) => show(next)}
          />
          {data && view !== 'explain' && (
            <Text size="sm" c="dimmed" className="numbers">
              {formatNumber(data.results.length)} {data.results.length === 1 ? 'row' : 'rows'}
              {data.hasMore ? ', and more: add a limit or export as CSV' : ''} · {formatNumber(data.rows_read)} rows
              read · {formatNumber(data.elapsed_ms)} ms · as of{' '}
              {formatTime(data.as_of, project.timezone, { second: '2-digit' })}
            </Text>
          )}
        </Group>
        {view === 'table' && !data && !error && !answer.isPending && (
          <Text size="sm" c="dimmed">
            Run the statement to see its answer.
          </Text>
        )}
        {view !== 'explain' && data && <Warnings warnings={data.warnings ?? []} />}
        {view === 'table' && data && <AnswerGrid answer={data} />}
        {view === 'chart' && data && <AnswerChart answer={data} />}
        {view === 'explain' && explained.data && <ExplainedStatement explained={explained.data} />}
      </Stack>
      <SaveCohort query={text} isOpen={isSaving} onClose={() => setSaving(false)} />
    </Page>
  );
}
