import { ActionIcon, Anchor, Group, Menu, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ProblemError } from '../../api/problem-error';
import { type SavedInsight, type Schemas, type TileAnswer } from '../../api/types';
import { useProject } from '../../address/project-context';
import { formatTime } from '../../ui/format';
import { PersonsDrawer } from '../../insights/persons/persons-drawer';
import { ProblemAlert } from '../../ui/problem-alert';
import { ActorsContext, useActorsOf } from '../../insights/actors';
import { type InsightKind } from '../../insights/kind';
import { insightKindQuery, insightKinds, type ListedKind } from '../../insights/kinds';
import { usePersonsBehind } from '../../insights/use-persons-behind';
import { AnswerGrid } from '../../insights/sql/answer-grid';
import { questionLink } from './question-link';

export interface TileControls {
  readonly onEarlier: (() => void) | null;
  readonly onLater: (() => void) | null;
  readonly onWidth: () => void;
  readonly onRemove: () => void;
}

interface DashboardTileProps {
  readonly insight: SavedInsight | null;
  readonly answer: TileAnswer | null;
  /** The range of the dashboard, which replaces that of the question. */
  readonly range: Readonly<Record<string, string>>;
  readonly isWide: boolean;
  /** Moves the tile. */
  readonly grip: ReactNode;
  readonly controls: TileControls | null;
}

export function DashboardTile({ insight, answer, range, isWide, grip, controls }: DashboardTileProps) {
  const project = useProject();
  const question = insight && { ...insight.question, params: { ...insight.question.params, ...range } };
  return (
    <Paper withBorder p="md" component="section" aria-label={insight?.name ?? 'Tile'} h="100%">
      <Group justify="space-between" wrap="nowrap" mb="sm" gap="xs" align="flex-start">
        {grip}
        <div style={{ minWidth: 0, flex: 1 }}>
          <Title order={2} size="h5">
            {insight && question ? (
              <Anchor
                component={Link}
                {...questionLink(String(project.id), question, insight.id)}
                inherit
                c="inherit"
                style={{ overflowWrap: 'anywhere' }}
              >
                {insight.name || insight.derived_name}
              </Anchor>
            ) : (
              <Skeleton h={18} w={160} />
            )}
          </Title>
          {answer?.as_of !== undefined && (
            <Text size="xs" c="dimmed">
              As of {formatTime(answer.as_of, project.timezone)}
            </Text>
          )}
        </div>
        {controls && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                className="no-print"
                variant="subtle"
                color="gray"
                aria-label={`Change the tile ${insight?.name ?? ''}`}
              >
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item disabled={!controls.onEarlier} onClick={() => controls.onEarlier?.()}>
                Move earlier
              </Menu.Item>
              <Menu.Item disabled={!controls.onLater} onClick={() => controls.onLater?.()}>
                Move later
              </Menu.Item>
              <Menu.Item onClick={controls.onWidth}>{isWide ? 'Half the width' : 'Whole width'}</Menu.Item>
              <Menu.Item color="red" onClick={controls.onRemove}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {!answer && <Skeleton h={260} aria-label="Loading the answer" />}
      {answer?.problem && <ProblemAlert error={new ProblemError(answer.problem)} />}
      {answer?.answer !== undefined && insight && question && (
        <TilePicture insight={insight.id} question={question} answer={answer.answer} />
      )}
    </Paper>
  );
}

interface TilePictureProps {
  readonly insight: number;
  readonly question: SavedInsight['question'];
  readonly answer: NonNullable<TileAnswer['answer']>;
}

function TilePicture({ insight, question, answer }: TilePictureProps) {
  if ('columns' in answer) return <AnswerGrid answer={answer} />;
  const listed = insightKinds.find(({ name }) => name === question.type);
  if (!listed) return <Text size="sm">There is no picture of {question.type}.</Text>;
  return <LoadedPicture listed={listed} insight={insight} question={question} answer={answer} />;
}

interface PictureProps extends TilePictureProps {
  readonly answer: Schemas['InsightNumbersDto'];
}

function LoadedPicture({ listed, ...props }: PictureProps & { readonly listed: ListedKind }) {
  const { data: kind, error } = useQuery(insightKindQuery(listed));
  if (error) return <ProblemAlert error={error} />;
  if (!kind) return <Skeleton h={260} aria-label="Loading the picture" />;
  return <InsightPicture kind={kind} {...props} />;
}

function InsightPicture({ kind, insight, question, answer }: PictureProps & { readonly kind: InsightKind }) {
  const projectId = String(useProject().id);
  const navigate = useNavigate();
  const actors = useActorsOf(question.params);
  const { openPersons, drawer } = usePersonsBehind(kind.route, question.params);
  return (
    <Stack gap="xs">
      <ActorsContext value={actors}>
        <kind.Answer
          insight={answer.insight}
          params={question.params}
          change={() => void navigate(questionLink(projectId, question, insight))}
          openPersons={openPersons}
          onPicture={ignore}
        />
      </ActorsContext>
      <PersonsDrawer {...drawer} />
    </Stack>
  );
}

const ignore = (): void => {
  // Dashboards save no pictures.
};
