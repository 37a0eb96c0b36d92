import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconMaximize, IconMinimize, IconPencil, IconPrinter, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, get, keyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { type Dashboard, type Schemas } from '../../api/types';
import { Blank } from '../../ui/fallbacks';
import { useOpenProject } from '../../address/project-context';
import { DateRangePicker } from '../../ui/date-range-picker';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { useQuestion } from '../../address/search';
import { Choice } from '../../ui/choice';
import { TileGrid } from './tile-grid';
import { useFullScreen } from './use-full-screen';
import { DashboardTile } from './dashboard-tile';
import { EditRecord } from './edit-record';
import { useSavedChanges } from './use-saved';
import { Select } from '../../ui/select';

/** Minutes after which the tiles may be read again by themselves. */
const intervals = [1, 5, 15, 60];

const tileAnswers = '/api/projects/{project_id}/dashboards/{id}/answers';

export function DashboardPage() {
  const { projectId, dashboardId } = useParams({ from: '/p/$projectId/dashboards/$dashboardId' });
  const { can } = useOpenProject();
  const { update } = useSavedChanges('dashboards');
  const [isRefreshing, setRefreshing] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const [isFull, toggleFull] = useFullScreen();
  const [question, ask] = useQuestion();
  const minutes = intervals.find((each) => each === question.refresh);
  const path = { project_id: projectId, id: Number(dashboardId) };
  const record = answer('/api/projects/{project_id}/dashboards/{id}', { path });

  const dashboard = useQuery(record);
  const insights = useQuery(
    answer('/api/projects/{project_id}/insights', { path: { project_id: projectId }, query: { limit: 1000 } }),
  );
  const answersKey = keyOf(tileAnswers, { path }, dashboard.data?.updated_at);
  const answers = useQuery({
    ...answer(tileAnswers, { path }),
    queryKey: answersKey,
    enabled: (dashboard.data?.tiles.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    refetchInterval: minutes === undefined ? false : minutes * 60_000,
  });

  if (dashboard.error) return <ProblemAlert error={dashboard.error} onRetry={() => void dashboard.refetch()} />;
  if (!dashboard.data) return <Blank />;
  const { id, name, description, tiles, date_from, date_to } = dashboard.data;
  const canWrite = can('insight:write');
  const byId = new Map(insights.data?.results.map((insight) => [insight.id, insight]));
  const nameOf = ({ insight_id: insight }: Dashboard['tiles'][number]): string => {
    const { name: own, derived_name: derived } = byId.get(insight) ?? {};
    return own || (derived ?? '');
  };
  const change = (fields: Schemas['UpdateDashboardBody']): void => update.mutate({ id, ...fields });
  /** The page has the tiles at once, so that the next change begins with them. */
  const changeTiles = (changed: readonly Dashboard['tiles'][number][]): void => {
    void queryClient.cancelQueries({ queryKey: record.queryKey, exact: true });
    queryClient.setQueryData(record.queryKey, (old) => old && { ...old, tiles: [...changed] });
    // Their order is that of the list.
    change({ tiles: changed.map(({ id: tile, insight_id, width }) => ({ id: tile, insight_id, width })) });
  };

  const refresh = async (): Promise<void> => {
    setRefreshing(true);
    try {
      queryClient.setQueryData(answersKey, await get(tileAnswers, { path, query: { refresh: true } }));
    } finally {
      setRefreshing(false);
    }
  };

  const move = (index: number, by: -1 | 1): void => {
    const order = [...tiles];
    const [tile] = order.splice(index, 1);
    if (tile) order.splice(index + by, 0, tile);
    changeTiles(order);
  };
  const withTile = (index: number, tile: Dashboard['tiles'][number] | null): void =>
    changeTiles(tiles.flatMap((old, at) => (at !== index ? [old] : tile === null ? [] : [tile])));

  return (
    <Page
      title={name}
      description={description}
      actions={
        <>
          {canWrite && (
            <DateRangePicker
              value={{ date_from: date_from ?? undefined, date_to: date_to ?? undefined }}
              onChange={(range) => change({ date_from: range.date_from ?? null, date_to: range.date_to ?? null })}
              fallback="Range of each insight"
            />
          )}
          {date_from !== null && canWrite && (
            <Button variant="subtle" onClick={() => change({ date_from: null, date_to: null })}>
              Range of each insight
            </Button>
          )}
          {canWrite && (
            <Tooltip label="Rename">
              <ActionIcon
                variant="default"
                size="lg"
                aria-label="Rename the dashboard"
                onClick={() => setEditing(true)}
              >
                <IconPencil size={18} />
              </ActionIcon>
            </Tooltip>
          )}
          <Choice
            aria-label="Refresh by itself"
            w={160}
            data={[
              { value: '', label: 'No auto-refresh' },
              ...intervals.map((each) => ({ value: String(each), label: `Every ${each} min` })),
            ]}
            value={minutes === undefined ? '' : String(minutes)}
            onChange={(value) => ask({ refresh: value === '' ? undefined : Number(value) }, { replace: true })}
          />
          <Tooltip label="Print or save as PDF">
            <ActionIcon variant="default" size="lg" aria-label="Print the dashboard" onClick={() => window.print()}>
              <IconPrinter size={18} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={isFull ? 'Leave full screen' : 'Full screen'}>
            <ActionIcon variant="default" size="lg" aria-label="Full screen" aria-pressed={isFull} onClick={toggleFull}>
              {isFull ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Refresh">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Refresh all tiles"
              loading={isRefreshing}
              onClick={() => void refresh()}
            >
              <IconRefresh size={18} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      {isEditing && <EditRecord kind="dashboards" record={dashboard.data} onClose={() => setEditing(false)} />}
      {answers.error && <ProblemAlert error={answers.error} onRetry={() => void answers.refetch()} />}
      {tiles.length === 0 && (
        <EmptyState title="No tile yet">
          {insights.data?.count === 0 ? 'Save an insight first, then add it here.' : 'Add a saved insight below.'}
        </EmptyState>
      )}
      <TileGrid tiles={tiles} nameOf={nameOf} onChange={canWrite ? changeTiles : null}>
        {(tile, index, grip) => (
          <DashboardTile
            insight={byId.get(tile.insight_id) ?? null}
            answer={answers.data?.results.find(({ tile_id }) => tile_id === tile.id) ?? null}
            range={date_from === null ? {} : { date_from, ...(date_to === null ? {} : { date_to }) }}
            isWide={tile.width > 6}
            grip={grip}
            controls={
              canWrite
                ? {
                    onEarlier: index > 0 ? () => move(index, -1) : null,
                    onLater: index < tiles.length - 1 ? () => move(index, 1) : null,
                    onWidth: () => withTile(index, { ...tile, width: tile.width > 6 ? 6 : 12 }),
                    onRemove: () => withTile(index, null),
                  }
                : null
            }
          />
        )}
      </TileGrid>
      {canWrite && (
        <Group className="no-print">
          <Select
            aria-label="Add a saved insight"
            placeholder="Add a saved insight"
            searchable
            w={320}
            value={null}
            nothingFoundMessage="No saved insight"
            data={(insights.data?.results ?? []).map((insight) => ({
              value: String(insight.id),
              label: insight.name || insight.derived_name,
            }))}
            onChange={(chosen) => {
              if (chosen !== null) change({ tiles: [...tiles, { insight_id: Number(chosen), width: 6 }] });
            }}
          />
        </Group>
      )}
    </Page>
  );
}
