import { Button, Group, Paper, SegmentedControl, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { pages } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { type SavedInsight } from '../../api/types';
import { placeholdersOf, readWritten, type Written } from '../../insights/sql/written';
import { formatAgo } from '../../ui/format';
import { Records } from '../../ui/records';
import { SchemaTree } from './schema-tree';
import { type Asked } from './workbench';
import classes from './sql-page.module.css';

interface SidePanelProps {
  readonly past: readonly Asked[];
  readonly onInsert: (text: string) => void;
  readonly onOpen: (written: Written, insight?: number) => void;
  readonly onForget: () => void;
}

/** Beside the editor: the names that a question can use, saved questions, and what was asked before. */
export function SidePanel({ past, onInsert, onOpen, onForget }: SidePanelProps) {
  const [shown, setShown] = useState('tables');
  return (
    <Paper withBorder component="section" className={classes.side} aria-label="Names and questions">
      <SegmentedControl
        fullWidth
        flex="none"
        size="xs"
        m={8}
        mb={0}
        aria-label="What is listed"
        data={[
          { value: 'tables', label: 'Tables' },
          { value: 'saved', label: 'Saved' },
          { value: 'history', label: 'History' },
        ]}
        value={shown}
        onChange={setShown}
      />
      {shown === 'tables' && <SchemaTree onInsert={onInsert} />}
      {shown === 'saved' && <SavedQuestions onOpen={onOpen} />}
      {shown === 'history' && <History past={past} onOpen={onOpen} onForget={onForget} />}
    </Paper>
  );
}

const firstWords = (text: string): string => text.replace(/\s+/g, ' ').trim();

function SavedQuestions({ onOpen }: Pick<SidePanelProps, 'onOpen'>) {
  const path = { project_id: useProjectId() };
  return (
    <div className={classes.rows} style={{ paddingTop: 8 }}>
      <Records
        query={pages('/api/projects/{project_id}/insights', { path, query: { type: 'sql', limit: 50 } })}
        what="the saved questions"
        empty="No saved queries yet. Write one and press Save."
      >
        {(insights) => insights.map((insight) => <SavedRow key={insight.id} insight={insight} onOpen={onOpen} />)}
      </Records>
    </div>
  );
}

function SavedRow({ insight, onOpen }: { readonly insight: SavedInsight } & Pick<SidePanelProps, 'onOpen'>) {
  const written = readWritten(insight.question.params);
  const names = placeholdersOf(written.text);
  return (
    <UnstyledButton
      className={classes.row}
      title={insight.description || written.text}
      onClick={() => onOpen(written, insight.id)}
    >
      <span className={classes.text}>
        <span style={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {insight.name || insight.derived_name}
        </span>
        <Text component="span" size="xs" c="dimmed">
          {names.length > 0 ? names.join(', ') : firstWords(written.text)}
        </Text>
      </span>
    </UnstyledButton>
  );
}

function History({ past, onOpen, onForget }: Pick<SidePanelProps, 'past' | 'onOpen' | 'onForget'>) {
  return (
    <>
      <div className={classes.rows} style={{ paddingTop: 8 }} role="group" aria-label="Questions asked before">
        {past.length === 0 && (
          <Text size="sm" c="dimmed" p={6}>
            Questions you ask appear here.
          </Text>
        )}
        {past.map((asked) => (
          <UnstyledButton key={asked.at} className={classes.row} title={asked.text} onClick={() => onOpen(asked)}>
            <span className={classes.text}>
              <span className={classes.statement}>{firstWords(asked.text)}</span>
              <Text component="span" size="xs" c="dimmed">
                {formatAgo(asked.at)}
              </Text>
            </span>
          </UnstyledButton>
        ))}
      </div>
      <Group justify="space-between" wrap="nowrap" px={12} py={8}>
        <Text size="xs" c="dimmed">
          Kept in this browser only
        </Text>
        <Button size="compact-xs" variant="subtle" disabled={past.length === 0} onClick={onForget}>
          Clear
        </Button>
      </Group>
    </>
  );
}
