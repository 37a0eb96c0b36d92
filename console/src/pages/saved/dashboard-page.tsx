import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconChartLine, IconLetterT, IconMaximize, IconMinimize, IconPlus, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, get, keyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { type Dashboard, type Schemas } from '../../api/types';
import { Blank } from '../../ui/fallbacks';
import { useOpenProject } from '../../address/project-context';
import { HistoryDrawer } from '../../insights/saved/history-button';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { ProblemAlert } from '../../ui/problem-alert';
import { titleOf } from '../../ui/prose-blocks';
import { useQuestion } from '../../address/search';
import { AddInsight } from './board/add-insight';
import { BoardFilters, completeFilters, filtersIn, type Filters } from './board/board-filters';
import { BoardMenu, minutesOf } from './board/board-menu';
import { DashboardTile } from './board/dashboard-tile';
import { columns, placeOf, swapped, withPlace, type Place } from './board/grid';
import { ScheduleDialog } from './board/schedule-dialog';
import { ShareDialog } from './board/share-dialog';
import { TextDialog, TextTile } from './board/text-tile';
import { type TileControls } from './board/tile-frame';
import { TileGrid } from './board/tile-grid';
import { useFullScreen } from './board/use-full-screen';
import { EditRecord } from './edit-record';
import { useSavedChanges } from './use-saved';

const tileAnswers = '/api/projects/{project_id}/dashboards/{id}/answers';

type Tiles = Dashboard['tiles'];
type Tile = Tiles[number];

/** A text tile under edit, by its id. */
type Opened = 'name' | 'history' | 'links' | 'schedules' | 'insight' | 'text' | { readonly text: number } | null;

export function DashboardPage() {
  const { projectId, dashboardId } = useParams({ from: '/p/$projectId/dashboards/$dashboardId' });
  const { can } = useOpenProject();
  const { update } = useSavedChanges('dashboards');
  const [isRefreshing, setRefreshing] = useState(false);
  const [opened, open] = useState<Opened>(null);
  const [isFull, toggleFull] = useFullScreen();
  const [question, ask] = useQuestion();
  const minutes = minutesOf(question.refresh);
  const path = { project_id: projectId, id: Number(dashboardId) };
  const record = answer('/api/projects/{project_id}/dashboards/{id}', { path });

  const dashboard = useQuery(record);
  const insights = useQuery(
    answer('/api/projects/{project_id}/insights', { path: { project_id: projectId }, query: { limit: 1000 } }),
  );
  const changed = filtersIn(question);
  const asked = changed && JSON.stringify(completeFilters(changed));
  const saved = dashboard.data && JSON.stringify(completeFilters(dashboard.data.filters));
  // A condition that is still being written changes nothing yet.
  const isChanged = asked !== null && asked !== saved;
  const query = isChanged ? { filters_override: asked } : {};
  const answersKey = keyOf(tileAnswers, { path, query }, dashboard.data?.updated_at);
  const answers = useQuery({
    ...answer(tileAnswers, { path, query }),
    queryKey: answersKey,
    enabled: (dashboard.data?.tiles.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    refetchInterval: minutes === undefined ? false : minutes * 60_000,
  });

  if (dashboard.error) return <ProblemAlert error={dashboard.error} onRetry={() => void dashboard.refetch()} />;
  if (!dashboard.data) return <Blank />;
  const { id, name, description, tiles, filters } = dashboard.data;
  const canWrite = can('insight:write');
  const byId = new Map(insights.data?.results.map((insight) => [insight.id, insight]));
  const insightOf = (tile: Tile) => byId.get(tile.insight_id) ?? tile.insight ?? null;
  const nameOf = (tile: Tile): string => {
    if (tile.text) return titleOf(tile.text.body) || 'Text';
    const insight = insightOf(tile);
    return insight ? insight.name || insight.derived_name : '';
  };
  const change = (fields: Schemas['UpdateDashboardBody']): void => update.mutate({ id, ...fields });
  const bodyOf = ({ id: tile, insight_id, text, layouts }: Tile): Schemas['TileBody'] => ({
    ...{ id: tile, layouts },
    ...(text ? { text: { body: text.body } } : { insight_id }),
  });
  /** The page has the tiles at once, so that the next change begins with them. */
  const changeTiles = (all: Tiles): void => {
    void queryClient.cancelQueries({ queryKey: record.queryKey, exact: true });
    queryClient.setQueryData(record.queryKey, (old) => old && { ...old, tiles: [...all] });
    change({ tiles: all.map(bodyOf) });
  };
  const changePlaces = (places: readonly Place[]): void =>
    changeTiles(
      places.flatMap(({ id: tile, x, y, w, h }, position) => {
        const old = tiles.find((one) => one.id === tile);
        return old ? [{ ...old, position, order: position, width: w, height: h, layouts: { sm: { x, y, w, h } } }] : [];
      }),
    );
  const add = (tile: Schemas['TileBody']): void => {
    open(null);
    change({ tiles: [...tiles.map(bodyOf), tile] });
  };
  const controlsOf = (tile: Tile, index: number): TileControls | null => {
    if (!canWrite) return null;
    const places = tiles.map(placeOf);
    const place = placeOf(tile);
    const isWide = place.w > columns / 2;
    return {
      onEarlier: index > 0 ? () => changePlaces(swapped(places, index, -1)) : null,
      onLater: index < tiles.length - 1 ? () => changePlaces(swapped(places, index, 1)) : null,
      isWide,
      onWidth: () => changePlaces(withPlace(places, { ...place, w: isWide ? columns / 2 : columns })),
      ...(tile.text ? { onEdit: () => open({ text: tile.id }) } : {}),
      onRemove: () => changeTiles(tiles.filter((one) => one !== tile)),
    };
  };
  const edited = typeof opened === 'object' && opened ? tiles.find((tile) => tile.id === opened.text) : undefined;

  const refresh = async (): Promise<void> => {
    setRefreshing(true);
    try {
      queryClient.setQueryData(answersKey, await get(tileAnswers, { path, query: { ...query, refresh: true } }));
    } finally {
      setRefreshing(false);
    }
  };
  const askWith = (next: Filters | undefined, options?: { replace?: boolean }): void =>
    ask({ filters: next && JSON.stringify(next) === JSON.stringify(filters) ? undefined : next }, options);

  return (
    <Page
      title={name}
      description={description}
      actions={
        <>
          {canWrite && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button leftSection={<IconPlus size={16} aria-hidden />}>Add</Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconChartLine size={16} aria-hidden />} onClick={() => open('insight')}>
                  Saved insight
                </Menu.Item>
                <Menu.Item leftSection={<IconLetterT size={16} aria-hidden />} onClick={() => open('text')}>
                  Text
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
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
          <Tooltip label={isFull ? 'Leave full screen' : 'Full screen'}>
            <ActionIcon variant="default" size="lg" aria-label="Full screen" aria-pressed={isFull} onClick={toggleFull}>
              {isFull ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
            </ActionIcon>
          </Tooltip>
          <BoardMenu
            minutes={minutes}
            onMinutes={(each) => ask({ refresh: each }, { replace: true })}
            onRename={canWrite ? () => open('name') : null}
            onShare={canWrite ? () => open('links') : null}
            onSchedule={canWrite ? () => open('schedules') : null}
            onHistory={can('activity_log:read') ? () => open('history') : null}
          />
        </>
      }
    >
      {opened === 'name' && <EditRecord kind="dashboards" record={dashboard.data} onClose={() => open(null)} />}
      {opened === 'links' && <ShareDialog dashboardId={id} onClose={() => open(null)} />}
      {opened === 'schedules' && <ScheduleDialog dashboardId={id} onClose={() => open(null)} />}
      <HistoryDrawer
        scope="Dashboard"
        title={name}
        saved={dashboard.data}
        isOpen={opened === 'history'}
        onClose={() => open(null)}
      />
      {opened === 'insight' && (
        <AddInsight
          insights={insights.data?.results ?? []}
          onAdd={(insight) => add({ insight_id: insight })}
          onClose={() => open(null)}
        />
      )}
      {opened === 'text' && (
        <TextDialog
          body={null}
          onSave={(body) => add({ text: { body }, width: 12, height: 2 })}
          onClose={() => open(null)}
        />
      )}
      {edited?.text && (
        <TextDialog
          body={edited.text.body}
          onSave={(body) => {
            open(null);
            changeTiles(tiles.map((tile) => (tile === edited ? { ...tile, text: { body } } : tile)));
          }}
          onClose={() => open(null)}
        />
      )}
      {tiles.length > 0 && (
        <BoardFilters
          filters={changed ?? filters}
          isChanged={isChanged}
          onChange={askWith}
          onDiscard={() => askWith(undefined)}
          onSave={
            canWrite && changed
              ? () => {
                  change({ filters: completeFilters(changed) });
                  askWith(undefined);
                }
              : null
          }
        />
      )}
      {answers.error && <ProblemAlert error={answers.error} onRetry={() => void answers.refetch()} />}
      {tiles.length === 0 && (
        <EmptyState title="No tile yet">
          {canWrite ? 'Add saved insights and texts, then arrange them as you like.' : 'Nothing has been added so far.'}
        </EmptyState>
      )}
      <TileGrid tiles={tiles} nameOf={nameOf} onChange={canWrite ? changePlaces : null}>
        {(tile, index, grip) =>
          tile.text ? (
            <TextTile body={tile.text.body} grip={grip} controls={controlsOf(tile, index)} />
          ) : (
            <DashboardTile
              insight={insightOf(tile)}
              answer={answers.data?.results.find(({ tile_id }) => tile_id === tile.id) ?? null}
              grip={grip}
              controls={controlsOf(tile, index)}
            />
          )
        }
      </TileGrid>
    </Page>
  );
}
