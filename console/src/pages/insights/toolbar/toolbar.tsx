import { Button, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconCode,
  IconDatabase,
  IconFileTypeCsv,
  IconLink,
  IconPhoto,
  IconShare,
} from '@tabler/icons-react';
import { type SavedInsight } from '../../../api/insights';
import { useOpenProject } from '../../../app/project-context';
import { copyText } from '../../../ui/copy';
import { downloadFrom, downloadText } from '../../../ui/download';
import { type InsightHead, type InsightKind } from '../kind';
import { type Params } from '../question/params';
import { csvOf } from './csv';
import { curlOf } from './curl';
import { SaveButtons } from './save-buttons';

export interface ToolbarProps {
  readonly kind: InsightKind;
  /** The parameters of the address, which may be newer than the answer. */
  readonly params: Params;
  readonly answer: { readonly insight: InsightHead; readonly params: Params } | null;
  /** Null while no picture is drawn. */
  readonly toPng: (() => string) | null;
  readonly saved: SavedInsight | undefined;
  /** Whether the question is no longer the saved one. */
  readonly isChanged: boolean;
}

/** What can be taken away from an insight. */
export function Toolbar({ kind, params, answer, toPng, saved, isChanged }: ToolbarProps) {
  const { project } = useOpenProject();
  const filename = `${kind.name}-${answer?.insight.as_of.slice(0, 10) ?? ''}`;
  const sql =
    answer && kind.sqlOf
      ? kind.sqlOf(answer.insight, answer.params, {
          timezone: project.timezone,
          weekStartDay: project.week_start_day,
          testAccountFilters: project.test_account_filters,
        })
      : null;
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconShare size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Share
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconLink size={16} aria-hidden />}
            onClick={() => copyText(window.location.href, 'Link')}
          >
            Copy link
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCode size={16} aria-hidden />}
            onClick={() => {
              const url = `${window.location.origin}/api/projects/${project.id}/persons/${kind.route}`;
              copyText(curlOf(url, { ...params, include: 'insight' }), 'Command');
            }}
          >
            Copy as curl
          </Menu.Item>
          {sql !== null && (
            <Menu.Item leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => copyText(sql, 'Statement')}>
              Copy as SQL
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconFileTypeCsv size={16} aria-hidden />}
            disabled={!answer}
            onClick={() => {
              if (answer)
                downloadText(csvOf(kind.tableOf(answer.insight, answer.params)), 'text/csv', `${filename}.csv`);
            }}
          >
            Download CSV
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPhoto size={16} aria-hidden />}
            disabled={!toPng}
            onClick={() => {
              if (toPng) downloadFrom(toPng(), `${filename}.png`);
            }}
          >
            Download PNG
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveButtons question={{ type: kind.name, params }} saved={saved} isChanged={isChanged} />
    </>
  );
}
