import { type ProjectRole } from '../../../api/accounts';

/** In the words of a select, weakest first. */
export const roleChoices: readonly { readonly value: ProjectRole; readonly label: string }[] = [
  { value: 'viewer', label: 'Viewer: reads' },
  { value: 'member', label: 'Member: reads and writes' },
  { value: 'admin', label: 'Admin: also settings, members and keys' },
];

export const roleOf = (value: string | null): ProjectRole =>
  roleChoices.find((choice) => choice.value === value)?.value ?? 'member';
