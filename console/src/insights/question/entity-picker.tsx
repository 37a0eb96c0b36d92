import { useEventNames } from '../../filters/pickers';
import { anyEvent, type Entity } from './entities';
import { useActions } from '../../filters/actions';
import { Select } from '../../ui/select';

const anyValue = 'any';
const valueOf = ({ type, id, any_of }: Entity): string => {
  if (any_of !== undefined) return 'several';
  if (id === null) return anyValue;
  return `${type === 'actions' ? 'action' : 'event'}:${id}`;
};

const entityOf = (value: string): Entity => {
  if (value.startsWith('action:')) return { type: 'actions', id: Number(value.slice('action:'.length)) };
  if (value.startsWith('event:')) return { type: 'events', id: value.slice('event:'.length) };
  return anyEvent;
};

/** Chooses all events, one event or one action. */
export function EntityPicker({
  label,
  value,
  onChange,
  autoFocus,
}: {
  readonly label: string;
  readonly value: Entity;
  readonly onChange: (entity: Entity) => void;
  readonly autoFocus?: boolean;
}) {
  const names = useEventNames().map(({ name }) => name);
  const actions = useActions();
  const current = valueOf(value);
  const events = value.type === 'events' && typeof value.id === 'string' && !names.includes(value.id) ? [value.id] : [];
  const isUnknownAction = value.type === 'actions' && !actions.some(({ id }) => id === value.id);
  return (
    <Select
      aria-label={label}
      autoFocus={autoFocus}
      flex="1 1 170px"
      maw={340}
      miw={120}
      searchable
      limit={200}
      allowDeselect={false}
      newOption={(typed) => ({ value: `event:${typed}`, label: typed })}
      value={current}
      data={[
        { group: 'All', items: [{ value: anyValue, label: 'All events' }] },
        ...(current === 'several'
          ? [{ group: 'Several', items: [{ value: current, label: value.name ?? 'Several events' }] }]
          : []),
        { group: 'Events', items: [...events, ...names].map((name) => ({ value: `event:${name}`, label: name })) },
        {
          group: 'Actions',
          items: [...actions, ...(isUnknownAction ? [{ id: Number(value.id), name: `Action ${value.id}` }] : [])].map(
            ({ id, name }) => ({ value: `action:${id}`, label: name }),
          ),
        },
      ]}
      onChange={(chosen) => {
        if (chosen !== null && chosen !== current) onChange(entityOf(chosen));
      }}
    />
  );
}
