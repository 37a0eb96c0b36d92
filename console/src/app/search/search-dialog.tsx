import { Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { matching, type Hit } from './hit';
import { usePages } from './pages';
import classes from './search-dialog.module.css';
import { useRecords } from './use-records';

interface SearchDialogProps {
  readonly projectId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Finds pages, settings and actions by their names, and the records of the project. */
export function SearchDialog({ projectId, isOpen, onClose }: SearchDialogProps) {
  const [opening, setOpening] = useState({ isOpen, count: 0 });
  if (opening.isOpen !== isOpen) setOpening({ isOpen, count: opening.count + (isOpen ? 1 : 0) });
  return (
    <Modal opened={isOpen} onClose={onClose} title="Search" size="lg" yOffset="10vh">
      {/* Opened again, it has nothing of the search before. */}
      <Search key={opening.count} projectId={projectId} onClose={onClose} />
    </Modal>
  );
}

/** So many hits of a group of pages are shown. */
const mostOfGroup = 6;

const inGroups = (hits: readonly Hit[]): Hit[] => {
  const counts = new Map<string, number>();
  return hits.filter(({ group }) => {
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= mostOfGroup;
  });
};

function Search({ projectId, onClose }: Omit<SearchDialogProps, 'isOpen'>) {
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 200);
  const [marked, setMarked] = useState(0);
  const records = useRecords(text);
  const pages = usePages();
  const hits = inGroups([...matching(pages, typed), ...records.hits]);
  const at = Math.min(marked, hits.length - 1);
  const idOf = (index: number): string => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  const open = (hit: Hit | undefined): void => {
    if (!hit) return;
    onClose();
    void navigate({ to: `/p/${projectId}/${hit.to}`, search: (hit.search ?? {}) as never });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hits.length - 1 }[event.key];
    if (next !== undefined && hits.length > 0) {
      event.preventDefault();
      setMarked((next + hits.length) % hits.length);
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(hits[at]);
  };
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="md"
        role="combobox"
        aria-label="Search everything"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={hits.length > 0 ? idOf(at) : undefined}
        autoComplete="off"
        placeholder="Search pages, persons, cohorts, insights, events …"
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={records.isFetching && <Loader size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={`${id}-list`} aria-label="Found" className={classes.list}>
        {hits.map((hit, index) => (
          <div key={`${hit.group} ${hit.to} ${hit.name}`} role="presentation">
            {hit.group !== hits[index - 1]?.group && (
              <div role="presentation" className={classes.group}>
                {hit.group}
              </div>
            )}
            <div
              id={idOf(index)}
              role="option"
              aria-selected={index === at}
              className={classes.hit}
              onClick={() => open(hit)}
              onPointerMove={() => setMarked(index)}
            >
              <span className={classes.name}>{hit.name}</span>
              {hit.hint && <span className={classes.hint}>{hit.hint}</span>}
            </div>
          </div>
        ))}
      </div>
      {hits.length === 0 && (
        <Text size="sm" c="dimmed" p="sm" role="status">
          {records.isFetching || text !== typed.trim() ? 'Searching …' : 'Nothing found'}
        </Text>
      )}
    </>
  );
}
