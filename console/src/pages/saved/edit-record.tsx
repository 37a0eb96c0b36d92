import { NameDialog, type Naming } from '../../ui/name-dialog';
import { useSavedChanges, type SavedKind } from './use-saved';

interface EditRecordProps {
  readonly kind: SavedKind;
  readonly record: Naming & { readonly id: number };
  readonly onClose: () => void;
}

/** The name and the description of an insight or a dashboard. */
export function EditRecord({ kind, record, onClose }: EditRecordProps) {
  const { update } = useSavedChanges(kind);
  return (
    <NameDialog
      title={kind === 'insights' ? 'Rename the insight' : 'Rename the dashboard'}
      isOpen
      naming={record}
      hasDescription
      isPending={update.isPending}
      error={null}
      onSave={(naming) => update.mutate({ id: record.id, ...naming }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
