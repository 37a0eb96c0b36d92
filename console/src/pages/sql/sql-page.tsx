import { Button, Stack } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../api/query-client';
import { useProjectId } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { isSameQuestion, paramsOf, readWritten, type Written } from '../../insights/sql/written';
import { HistoryButton } from '../../insights/saved/history-button';
import { SaveButtons } from '../../insights/saved/save-buttons';
import { useSavedInsight } from '../../insights/saved/use-saved-insight';
import { Page } from '../../ui/page';
import { useIsPhone } from '../../ui/use-is-phone';
import { DraftSheet, runKey, type Run } from './draft-sheet';
import { DraftTabs } from './draft-tabs';
import { SidePanel } from './side-panel';
import { type EditorHandle } from './sql-editor';
import classes from './sql-page.module.css';
import {
  addDraft,
  changeDraft,
  closeDraft,
  keepWorkbench,
  noteAsked,
  openDraft,
  readWorkbench,
  showQuestion,
  type Draft,
  type Workbench,
} from './workbench';

/** The runs of each draft since the page was opened. */
type Runs = Readonly<Record<number, Run | undefined>>;

export function SqlPage() {
  // Another project has other drafts.
  const projectId = useProjectId();
  return <Bench key={projectId} projectId={projectId} />;
}

function Bench({ projectId }: { readonly projectId: string }) {
  const [question, change] = useQuestion();
  const [bench, setBench] = useState(() => readWorkbench(projectId));
  const [runs, setRuns] = useState<Runs>({});
  const [isListShown, setListShown] = useState(false);
  const isNarrow = useIsPhone();
  const editor = useRef<EditorHandle>(null);
  const draft = openDraft(bench);
  const latest = useRef(bench);
  useEffect(() => {
    latest.current = bench;
    keepWorkbench(projectId, bench);
  }, [projectId, bench]);
  /** The address as this page wrote it last. */
  const told = useRef<string | null>(null);

  const { data: named } = useSavedInsight(draft.insight);
  const saved = named?.question.type === 'sql' ? named : undefined;

  /** The address names the draft that is shown, so that a link to it shows the same. */
  const tell = useCallback(
    ({ insight, asked }: Draft): void => {
      const { query: q, values } = asked ? paramsOf(asked) : { query: undefined, values: undefined };
      told.current = JSON.stringify([q, values, insight]);
      change({ q, values, insight }, { replace: true });
    },
    [change],
  );

  const ask = useCallback((id: number, asked: Written, isExplained: boolean): void => {
    setRuns((before) => ({ ...before, [id]: { ...asked, isExplained, number: (before[id]?.number ?? 0) + 1 } }));
  }, []);

  const show = useCallback(
    (next: Workbench): void => {
      setBench(next);
      tell(openDraft(next));
    },
    [tell],
  );

  // A link to a question, or a step back to one, shows its answer.
  const address = JSON.stringify([textOf(question.q), question.values, question.insight]);
  useEffect(() => {
    if (told.current === address) return;
    told.current = address;
    const q = textOf(question.q);
    if (q === undefined) return;
    const asked = readWritten({ query: q, values: question.values });
    const insight = typeof question.insight === 'number' ? question.insight : undefined;
    const next = noteAsked(showQuestion(latest.current, asked, insight), { ...asked, at: new Date().toISOString() });
    setBench(next);
    ask(next.open, asked, openDraft(next).view === 'explain');
  }, [address, question, ask]);
  const run = (isExplained = draft.view === 'explain'): void => {
    const asked = { text: draft.text, values: draft.values };
    const next = isExplained
      ? changeDraft(bench, { asked, view: 'explain' })
      : noteAsked(bench, { ...asked, at: new Date().toISOString() });
    ask(draft.id, asked, isExplained);
    setBench(next);
    const { query: q, values } = paramsOf(asked);
    told.current = JSON.stringify([q, values, draft.insight]);
    change({ q, values, insight: draft.insight });
  };

  const close = (id: number): void => {
    queryClient.removeQueries({ queryKey: runKey(projectId, id) });
    setRuns((before) => ({ ...before, [id]: undefined }));
    show(closeDraft(bench, id));
  };

  const list = (
    <SidePanel
      past={bench.past}
      onInsert={(text) => {
        editor.current?.insert(text);
        setListShown(false);
      }}
      onOpen={(asked, insight) => {
        const next = showQuestion(bench, asked, insight);
        show(next);
        setListShown(false);
      }}
      onForget={() => setBench({ ...bench, past: [] })}
    />
  );

  return (
    <Page
      title={saved?.name ?? 'SQL'}
      description={saved?.description || 'Ask anything about the events, persons, cohorts and sessions of this project'}
      actions={
        <>
          {saved && <HistoryButton saved={saved} />}
          <SaveButtons
            question={{ type: 'sql', params: { ...paramsOf(draft) } }}
            isAside
            saved={saved}
            isChanged={saved !== undefined && !isSameQuestion(readWritten(saved.question.params), draft)}
            onSaved={({ id: insight }) => setBench(changeDraft(bench, { insight }))}
          />
        </>
      }
    >
      {isNarrow && (
        <Button
          variant="default"
          leftSection={<IconListSearch size={16} aria-hidden />}
          aria-expanded={isListShown}
          onClick={() => setListShown(!isListShown)}
        >
          Tables, saved questions, history
        </Button>
      )}
      <div className={classes.bench}>
        {(!isNarrow || isListShown) && list}
        <Stack gap="md" miw={0}>
          <div>
            <DraftTabs
              drafts={bench.drafts}
              open={draft.id}
              onOpen={(open) => show({ ...bench, open })}
              onClose={close}
              onAdd={() => show(addDraft(bench, { text: '', values: {} }))}
            />
            <DraftSheet
              key={`${draft.id} ${draft.insight ?? ''}`}
              draft={draft}
              run={runs[draft.id]}
              editor={editor}
              onChange={(fields) => setBench((before) => changeDraft(before, fields))}
              onRun={run}
            />
          </div>
        </Stack>
      </div>
    </Page>
  );
}
