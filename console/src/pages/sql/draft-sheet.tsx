import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlignLeft, IconDownload, IconPlayerPlay, IconPlayerStop, IconUsersPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState, type RefObject } from 'react';
import { ProblemError } from '../../api/problem-error';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useOpenProject } from '../../address/project-context';
import { AnswerGrid } from '../../insights/sql/answer-grid';
import { nodeOf, placeholdersOf, type Written } from '../../insights/sql/written';
import { downloadText } from '../../ui/download';
import { EmptyState } from '../../ui/empty-state';
import { formatCount, formatDuration, formatNumber, formatTime } from '../../ui/format';
import { notifyProblem } from '../../ui/notify';
import { ProblemAlert } from '../../ui/problem-alert';
import { Warnings } from '../../ui/warnings';
import { AnswerChart } from './answer-chart';
import { chartOf } from '../../insights/sql/answer-columns';
import { ExplainedStatement } from './explained-statement';
import { SaveCohort } from './save-cohort';
import { type EditorHandle } from './sql-editor';
import { Variables } from './variables';
import { type Draft, type View } from './workbench';

const SqlEditor = lazy(() => import('./sql-editor'));

const mostRows = 10_000;

/** What was asked, and how often before. */
export interface Run extends Written {
  readonly number: number;
  readonly isExplained: boolean;
}

/** Under this key are the answers to a draft. */
export const runKey = (projectId: string, draft: number): readonly unknown[] => ['sql draft', projectId, draft];

/** Answers stay until the same draft is run again. */
const useRun = <Answer,>(
  projectId: string,
  draft: number,
  run: Run | null,
  send: (run: Run, signal: AbortSignal) => Promise<Answer>,
) =>
  useQuery({
    queryKey: [...runKey(projectId, draft), run],
    queryFn: ({ signal }) => (run ? send(run, signal) : Promise.reject(new Error('nothing is asked'))),
    enabled: run !== null,
    staleTime: Infinity,
    retryOnMount: false,
    refetchOnReconnect: false,
    placeholderData: (before) => before,
  });

const faultOf = (error: Error | null) => {
  if (!(error instanceof ProblemError)) return null;
  const { line, column = 1, detail } = error.problem;
  return line === undefined ? null : { line, column, text: detail };
};

interface DraftSheetProps {
  readonly draft: Draft;
  readonly run: Run | undefined;
  readonly editor: RefObject<EditorHandle | null>;
  readonly onChange: (fields: Partial<Omit<Draft, 'id'>>) => void;
  readonly onRun: (isExplained?: boolean) => void;
}

/** One question: its text, its variables, and what the service answers. */
export function DraftSheet({ draft, run, editor, onChange, onRun }: DraftSheetProps) {
  const { project, can } = useOpenProject();
  const [isSaving, setSaving] = useState(false);
  const { text, values, view } = draft;
  const projectId = String(project.id);
  const params = { path: { project_id: projectId } };
  // The last run of each sort: a question that is explained keeps its answer.
  const [answered, setAnswered] = useState<Run | null>(run && !run.isExplained ? run : null);
  const [explainedRun, setExplainedRun] = useState<Run | null>(run?.isExplained ? run : null);
  if (run && !run.isExplained && run !== answered) setAnswered(run);
  if (run?.isExplained && run !== explainedRun) setExplainedRun(run);

  const answer = useRun(projectId, draft.id, answered, (asked, signal) =>
    bodyOf(
      api.POST('/api/projects/{project_id}/query', {
        params,
        body: { query: nodeOf(asked), limit: mostRows },
        signal,
      }),
    ),
  );
  const explained = useRun(projectId, draft.id, explainedRun, (asked, signal) =>
    bodyOf(api.POST('/api/projects/{project_id}/query/explain', { params, body: { query: nodeOf(asked) }, signal })),
  );
  const download = useMutation({
    mutationFn: async () => {
      const body = { query: nodeOf(draft), format: 'csv' } as const;
      const csv = api.POST('/api/projects/{project_id}/query', { params, body, parseAs: 'stream' });
      await bodyOf(csv);
      return (await csv).response.text();
    },
    onSuccess: (csv) => downloadText(csv, 'text/csv', 'answer.csv'),
    onError: notifyProblem,
  });

  const shown = view === 'explain' ? explained : answer;
  const { error, isFetching } = shown;
  const fault = useMemo(() => faultOf(error), [error]);
  const data = error && view !== 'explain' ? undefined : answer.data;
  const canDraw = data !== undefined && chartOf(data) !== null;

  const show = (next: View): void => {
    if (next === 'explain') onRun(true);
    else onChange({ view: next });
  };

  return (
    <Stack gap="md">
      <Paper withBorder style={{ overflow: 'hidden', borderTop: 0, borderTopLeftRadius: 0, borderTopRightRadius: 0 }}>
        <Suspense fallback={<Skeleton h={180} />}>
          <SqlEditor
            ref={editor}
            value={text}
            onChange={(next) => onChange({ text: next })}
            onRun={() => onRun()}
            fault={fault}
          />
        </Suspense>
      </Paper>
      <Variables
        names={placeholdersOf(text)}
        values={values}
        onChange={(next) => onChange({ values: next })}
        onRun={() => onRun()}
      />
      <Group justify="space-between">
        <Group gap="xs">
          {isFetching ? (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              onClick={() => void queryClient.cancelQueries({ queryKey: runKey(projectId, draft.id) })}
            >
              Stop
            </Button>
          ) : (
            <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => onRun()}>
              Run
            </Button>
          )}
          <Text size="sm" c="dimmed" visibleFrom="sm">
            Ctrl or ⌘ and Enter
          </Text>
          <Button
            variant="default"
            leftSection={<IconAlignLeft size={16} aria-hidden />}
            title="Shift, Alt and F"
            disabled={text.trim() === ''}
            onClick={() => editor.current?.format()}
          >
            Format
          </Button>
        </Group>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            CSV
          </Button>
          {can('cohort:write') && (
            <Button
              variant="default"
              leftSection={<IconUsersPlus size={16} aria-hidden />}
              disabled={!data?.columns.some((name) => name === 'person_id' || name === 'distinct_id')}
              title="Needs a column person_id or distinct_id"
              onClick={() => setSaving(true)}
            >
              Save as cohort
            </Button>
          )}
        </Group>
      </Group>
      {error && <ProblemAlert error={error} title="This question cannot be answered" />}
      <Stack gap="sm">
        <Group justify="space-between">
          <SegmentedControl
            aria-label="How the answer is shown"
            data={[
              { value: 'table', label: 'Table' },
              { value: 'chart', label: 'Chart', disabled: !canDraw && view !== 'chart' },
              { value: 'explain', label: 'Explain' },
            ]}
            value={view}
            onChange={(next) => show(next)}
          />
          {data && view !== 'explain' && (
            <Text size="sm" c="dimmed" className="numbers">
              {data.hasMore ? 'First ' : ''}
              {formatCount(data.results.length, 'row')}
              {data.hasMore ? ' (CSV has all)' : ''} · {formatNumber(data.rows_read)} rows read ·{' '}
              {formatDuration(data.elapsed_ms / 1000)} · as of{' '}
              {formatTime(data.as_of, project.timezone, { second: '2-digit' })}
            </Text>
          )}
        </Group>
        {view !== 'explain' && data && <Warnings warnings={data.warnings ?? []} />}
        {view !== 'explain' && !data && !error && !isFetching && (
          <EmptyState title="No answer yet">Run the question to see its answer here.</EmptyState>
        )}
        {isFetching && !shown.data && <Skeleton h={240} role="status" aria-label="Waiting for the answer" />}
        {view === 'table' && data && <AnswerGrid answer={data} />}
        {view === 'chart' && data && canDraw && <AnswerChart key={data.columns.join(' ')} answer={data} />}
        {view === 'chart' && data && !canDraw && (
          <EmptyState kind="chart" title="Nothing to draw">
            A chart needs a column of numbers, and one that names its points.
          </EmptyState>
        )}
        {view === 'explain' && explained.data && !error && <ExplainedStatement explained={explained.data} />}
      </Stack>
      {data && <SaveCohort written={draft} isOpen={isSaving} onClose={() => setSaving(false)} />}
    </Stack>
  );
}
