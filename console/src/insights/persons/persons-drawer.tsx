import { dialogOnDemand } from '../../ui/on-demand';

export interface PersonsBehind {
  /** What the point is: "order paid, 21 Nov". */
  readonly title: string;
  /** The address of the list, from `/api` on; the service's own list of the persons behind a point. */
  readonly address: string;
  /** The number at the point in words, if it is not the number of its persons: "731 events". */
  readonly number?: string;
  /** What each person adds to the number, where the list has it: "Events". */
  readonly valueLabel?: string;
  /** The names of the intervals in which each person counts or not, where the list has them. */
  readonly intervals?: readonly string[];
  /** Other lists behind the same point, one of which is chosen instead of `address`. */
  readonly others?: readonly { readonly label: string; readonly address: string }[];
}

export interface PersonsDrawerProps {
  readonly isOpen: boolean;
  readonly behind: PersonsBehind | null;
  readonly onClose: () => void;
}

/** The persons behind a point of an insight: every number can be opened. */
export const PersonsDrawer = dialogOnDemand(async () => (await import('./persons-of-point')).PersonsOfPoint);
