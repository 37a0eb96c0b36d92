import { Skeleton, Text, TextInput, UnstyledButton } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronRight,
  IconFunction,
  IconSearch,
  IconTable,
  IconTag,
  IconUser,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { answer } from '../../api/client';
import { type Schemas } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import classes from './sql-page.module.css';

/** The names that a question can use. The editor completes them, too. */
export const schemaQuery = (projectId: string) => ({
  ...answer('/api/projects/{project_id}/query/schema', { path: { project_id: projectId } }),
  staleTime: 300_000,
});

interface Entry {
  readonly label: string;
  /** What is written into the question. */
  readonly text: string;
  readonly type: string;
  readonly description?: string;
}

interface Branch {
  readonly name: string;
  readonly icon: Icon;
  /** Written by the name itself; a heading writes nothing. */
  readonly text?: string;
  readonly description?: string;
  readonly entries: readonly Entry[];
}

const words: readonly (readonly [RegExp, string])[] = [
  [/Date/, 'time'],
  [/Int|Float|Decimal/, 'number'],
  [/Bool/, 'yes/no'],
  [/UUID/, 'uuid'],
];

const wordOf = (type: string): string => words.find(([pattern]) => pattern.test(type))?.[1] ?? 'text';

const plain = /^[A-Za-z_$][\w$]*$/;

/** A property as it is written in a question. */
export const propertyText = (prefix: string, name: string): string =>
  plain.test(name) ? `${prefix}.${name}` : `${prefix}['${name.replace(/'/g, "''")}']`;

const properties = (name: string, icon: Icon, prefix: string, of: readonly Schemas['SchemaPropertyDto'][]): Branch => ({
  name,
  icon,
  entries: of.map(({ name: property, types, count }) => ({
    label: property,
    text: propertyText(prefix, property),
    type: types.join(', '),
    description: `In ${formatNumber(count)}`,
  })),
});

const branchesOf = ({ tables, properties: { event, person }, functions }: Schemas['QuerySchemaDto']): Branch[] => [
  ...tables.map(({ name, description, columns }) => ({
    name,
    icon: IconTable,
    text: name,
    description,
    entries: columns.map((column) => ({
      label: column.name,
      text: column.name,
      type: wordOf(column.type),
      description: column.description,
    })),
  })),
  properties('Event properties', IconTag, 'properties', event),
  properties('Person properties', IconUser, 'person.properties', person),
  {
    name: 'Functions',
    icon: IconFunction,
    entries: functions.map(({ name, kind, description }) => ({
      label: name,
      text: `${name}(`,
      type: kind === 'scalar' ? '' : kind,
      description,
    })),
  },
];

const mostEntries = 60;

const matchOf = (branches: readonly Branch[], search: string): Branch[] => {
  const has = (text: string): boolean => text.toLowerCase().includes(search);
  return branches.flatMap((branch) => {
    const isNamed = branch.text !== undefined && has(branch.name);
    const entries = branch.entries.filter(({ label }) => has(label));
    return isNamed || entries.length > 0 ? [{ ...branch, entries }] : [];
  });
};

/** The arrow keys go from name to name. */
const moveFocus = (event: KeyboardEvent<HTMLDivElement>): void => {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus();
};

export function SchemaTree({ onInsert }: { readonly onInsert: (text: string) => void }) {
  const { data, error, refetch } = useQuery(schemaQuery(useProjectId()));
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(['events']));
  const branches = useMemo(() => (data ? branchesOf(data) : []), [data]);
  const typed = search.trim().toLowerCase();
  const shown = typed === '' ? branches : matchOf(branches, typed);
  const toggle = (name: string): void => {
    const next = new Set(opened);
    if (!next.delete(name)) next.add(name);
    setOpened(next);
  };
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        m={8}
        aria-label="Search tables, columns and functions"
        placeholder="Search"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.currentTarget.closest('section')?.querySelector<HTMLElement>('[data-row]')?.focus();
        }}
      />
      <div className={classes.rows} onKeyDown={moveFocus} role="group" aria-label="Tables, columns and functions">
        {!data && <Skeleton h={280} role="status" aria-label="Loading the tables" />}
        {data && shown.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            No matches.
          </Text>
        )}
        {shown.map((branch) => (
          <BranchRows
            key={branch.name}
            branch={branch}
            isOpen={typed !== '' || opened.has(branch.name)}
            onToggle={() => toggle(branch.name)}
            onInsert={onInsert}
          />
        ))}
      </div>
    </>
  );
}

interface BranchProps {
  readonly branch: Branch;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onInsert: (text: string) => void;
}

function BranchRows({ branch: { name, icon: BranchIcon, text, description, entries }, isOpen, ...act }: BranchProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const hidden = entries.length - mostEntries;
  return (
    <>
      <div className={classes.branch}>
        <UnstyledButton
          data-row
          className={classes.row}
          style={{ flex: 1, minWidth: 0 }}
          aria-expanded={isOpen}
          title={description}
          onClick={act.onToggle}
          onKeyDown={({ key }) => {
            if (key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) act.onToggle();
          }}
        >
          <Chevron size={14} aria-hidden />
          <BranchIcon size={15} aria-hidden />
          <span className={classes.text}>{name}</span>
          {text === undefined && <span className={classes.type}>{formatNumber(entries.length)}</span>}
        </UnstyledButton>
        {text !== undefined && (
          <UnstyledButton
            className={`${classes.row} ${classes.insert}`}
            w="auto"
            aria-label={`Insert ${text}`}
            title={`Insert ${text}`}
            onClick={() => act.onInsert(text)}
          >
            <span className={classes.type}>Insert</span>
          </UnstyledButton>
        )}
      </div>
      {isOpen &&
        entries.slice(0, mostEntries).map((entry) => (
          <UnstyledButton
            key={entry.label}
            data-row
            className={`${classes.row} ${classes.column}`}
            title={entry.description ? `${entry.label}: ${entry.description}` : entry.label}
            onClick={() => act.onInsert(entry.text)}
          >
            <span className={classes.text}>{entry.label}</span>
            <span className={classes.type}>{entry.type}</span>
          </UnstyledButton>
        ))}
      {isOpen && hidden > 0 && (
        <Text size="xs" c="dimmed" pl={30} py={4}>
          {formatNumber(hidden)} more: search to find them
        </Text>
      )}
    </>
  );
}
