import { Grid, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { useActors } from '../actors';
import { ActorsSelect } from '../actors-select';
import { type EditorProps } from '../kind';
import { BreakdownEditor } from './breakdown-editor';
import { QuestionFilter } from './question-filter';

/** A part of the question with its heading. */
export function EditorPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap={6} role="group" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed">
        {title}
      </Text>
      {children}
    </Stack>
  );
}

interface EditorPanelProps extends EditorProps {
  readonly children: ReactNode;
  /** More of what its kind is about, at the right: so the answer begins higher. */
  readonly side?: ReactNode;
  readonly hasBreakdown?: boolean;
}

/** The question: at the left what its kind is about, at the right what all kinds have. */
export function EditorPanel({ question, change, children, side, hasBreakdown = false }: EditorPanelProps) {
  return (
    <Paper withBorder p="md">
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <ActorsPicker change={change} />
            {children}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            {side}
            <EditorPart title="Filters">
              <QuestionFilter question={question} change={change} />
            </EditorPart>
            {hasBreakdown && (
              <EditorPart title="Breakdown">
                <BreakdownEditor question={question} change={change} />
              </EditorPart>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </Paper>
  );
}

/** Chooses whether the question counts persons or accounts. A project without accounts has no choice. */
function ActorsPicker({ change }: Pick<EditorProps, 'change'>) {
  const { groupType, types } = useActors();
  if (types.length === 0 && groupType === null) return null;
  return (
    <EditorPart title="Who is counted">
      <ActorsSelect
        label="Who is counted"
        onChange={(index) => change({ aggregation_group_type_index: index ?? undefined })}
      />
    </EditorPart>
  );
}
