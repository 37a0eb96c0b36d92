import { useEventNames } from '../../../filters/pickers';
import { useActions } from '../../../filters/actions';
import { Select } from '../../../ui/select';

export interface EventChoice {
  readonly key: string | number;
  readonly type: 'events' | 'actions';
}

interface EventPickerProps {
  readonly label: string;
  readonly value: { readonly key: unknown; readonly type: unknown };
  readonly onChange: (choice: EventChoice) => void;
  readonly hasError: boolean;
}

/** Chooses one event or one action. */
export function EventOrActionPicker({ label, value: { key, type }, onChange, hasError }: EventPickerProps) {
  const names = useEventNames().map(({ name }) => name);
  const actions = useActions();
  const id = typeof key === 'string' || typeof key === 'number' ? String(key) : '';
  const isAction = type === 'actions';
  const eventNames = isAction || id === '' || names.includes(id) ? names : [id, ...names];
  const isUnknownAction = isAction && !actions.some((action) => String(action.id) === id);
  return (
    <Select
      size="sm"
      aria-label={label}
      placeholder="Event or action"
      flex="1 1 170px"
      maw={300}
      miw={150}
      searchable
      limit={200}
      allowDeselect={false}
      newOption={(typed) => ({ value: `event:${typed}`, label: typed })}
      error={hasError}
      value={id === '' ? null : `${isAction ? 'action' : 'event'}:${id}`}
      data={[
        { group: 'Events', items: eventNames.map((name) => ({ value: `event:${name}`, label: name })) },
        {
          group: 'Actions',
          items: [...actions, ...(isUnknownAction ? [{ id, name: `Action ${id}` }] : [])].map((action) => ({
            value: `action:${action.id}`,
            label: action.name,
          })),
        },
      ]}
      onChange={(chosen) => {
        if (chosen === null) return;
        const name = chosen.slice(chosen.indexOf(':') + 1);
        onChange(chosen.startsWith('action:') ? { key: Number(name), type: 'actions' } : { key: name, type: 'events' });
      }}
    />
  );
}
