import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ProblemError } from '../../../api/problem-error';
import { type SavedInsight, type Schemas, type TileAnswer } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { formatTime } from '../../../ui/format';
import { PersonsDrawer } from '../../../insights/persons/persons-drawer';
import { ProblemAlert } from '../../../ui/problem-alert';
import { ActorsContext, useActorsOf } from '../../../insights/actors';
import { type InsightKind } from '../../../insights/kind';
import { insightKindQuery, insightKinds, type ListedKind } from '../../../insights/kinds';
import { usePersonsBehind } from '../../../insights/use-persons-behind';
import { AnswerGrid } from '../../../insights/sql/answer-grid';
import { questionLink } from '../question-link';
import { TileFrame, type TileControls } from './tile-frame';
import classes from './tile-frame.module.css';

interface DashboardTileProps {
  readonly insight: Pick<SavedInsight, 'id' | 'name' | 'derived_name'> | null;
  readonly answer: TileAnswer | null;
  /** Moves the tile. */
  readonly grip: ReactNode;
  readonly controls: TileControls | null;
  /** True where the numbers do not open lists of persons, and the title no page. */
  readonly isShared?: boolean;
}

export function DashboardTile({ insight, answer, grip, controls, isShared = false }: DashboardTileProps) {
  const project = useProject();
  // With what all tiles have in common.
  const question = answer?.question ?? null;
  const name = insight ? insight.name || insight.derived_name : '';
  const title =
    insight && question && !isShared ? (
      <Anchor component={Link} {...questionLink(String(project.id), question, insight.id)} inherit c="inherit">
        {name}
      </Anchor>
    ) : (
      name || <Skeleton h={18} w={160} />
    );
  return (
    <TileFrame
      name={name || 'Tile'}
      grip={grip}
      controls={controls}
      title={
        <>
          <Title order={2} size="h5" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {answer?.as_of !== undefined && (
            <Text size="xs" c="dimmed">
              As of {formatTime(answer.as_of, project.timezone)}
            </Text>
          )}
        </>
      }
    >
      {!answer && <Skeleton h={220} role="status" aria-label="Loading the answer" />}
      {answer?.problem && isShared && (
        <Text size="sm" c="dimmed">
          {answer.problem.detail}.
        </Text>
      )}
      {answer?.problem && !isShared && <ProblemAlert error={new ProblemError(answer.problem)} />}
      {answer?.answer !== undefined && insight && question && (
        <fieldset className={classes.numbers} disabled={isShared}>
          <TilePicture insight={insight.id} question={question} answer={answer.answer} />
        </fieldset>
      )}
    </TileFrame>
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
  if (!kind) return <Skeleton h={260} role="status" aria-label="Loading the picture" />;
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
