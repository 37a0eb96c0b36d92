import { Menu } from '@mantine/core';
import { IconCode, IconDatabase, IconFileTypeCsv, IconLink, IconPhoto } from '@tabler/icons-react';
import { addressOf } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { copyText } from '../../../ui/copy';
import { downloadFrom, downloadText } from '../../../ui/download';
import { useOpening } from '../../../ui/on-demand';
import { useActorsOf } from '../../../insights/actors';
import { csvOf } from './csv';
import { curlOf } from './curl';
import { ShareButton, type Shared } from './share-button';

/** Offers the forms in which an insight can be taken away. */
export function ShareMenu({ kind, params, answer, toPng }: Shared) {
  const project = useProject();
  const actors = useActorsOf(answer?.params ?? {});
  const { button, menu } = useOpening();
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
    <Menu position="bottom-end" width={230} {...menu}>
      <Menu.Target>
        <ShareButton ref={button} />
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
            const url = window.location.origin + addressOf(kind.route, { path: { project_id: String(project.id) } });
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
              downloadText(csvOf(kind.tableOf(answer.insight, answer.params, actors)), 'text/csv', `${filename}.csv`);
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
  );
}
