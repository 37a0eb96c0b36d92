import { ActionIcon, CloseButton, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { answer } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { type Draft } from './workbench';
import classes from './sql-page.module.css';

interface DraftTabsProps {
  readonly drafts: readonly Draft[];
  readonly open: number;
  readonly onOpen: (id: number) => void;
  readonly onClose: (id: number) => void;
  readonly onAdd: () => void;
}

/** One tab for each question that is being written. */
export function DraftTabs({ drafts, open, onOpen, onClose, onAdd }: DraftTabsProps) {
  const path = { project_id: useProjectId() };
  const saved = useQueries({
    queries: drafts.flatMap(({ insight: id }) =>
      id === undefined
        ? []
        : [{ ...answer('/api/projects/{project_id}/insights/{id}', { path: { ...path, id } }), retry: false }],
    ),
    combine: (answers) => new Map(answers.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  });
  return (
    <div className={classes.tabs} role="group" aria-label="Questions">
      {drafts.map(({ id, insight }) => {
        const name = (insight !== undefined && saved.get(insight)) || `Question ${id}`;
        const isOpen = id === open;
        return (
          <div key={id} className={classes.tab} data-open={isOpen || undefined}>
            <UnstyledButton
              className={classes.name}
              aria-current={isOpen || undefined}
              title={name}
              onClick={() => onOpen(id)}
            >
              {name}
            </UnstyledButton>
            {isOpen && <CloseButton size="xs" me={6} aria-label={`Close ${name}`} onClick={() => onClose(id)} />}
          </div>
        );
      })}
      <ActionIcon variant="subtle" color="gray" m={4} aria-label="New question" title="New question" onClick={onAdd}>
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
