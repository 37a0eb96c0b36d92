/** What capture did with events. Only a rejection has a reason. */
export type Outcome = 'accepted' | 'duplicate' | 'rejected';

export interface Tally {
  readonly outcome: Outcome;
  /** The code of the rejection; empty for other outcomes. */
  readonly reason: string;
  /** Counted by this process since its start. */
  events: number;
  /** Of these, those that are stored. */
  stored: number;
  lastAt: number;
}

export interface Library {
  readonly name: string;
  readonly version: string;
}

interface SeenLibrary extends Library {
  readonly at: number;
}

const maxLibraryCharacters = 100;
/** Clients choose the names, so their number is bounded: of one project in memory and in the store. */
export const maxLibraries = 100;

const shortText = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxLibraryCharacters).replaceAll('\0', '') : '';

/** The client that sent an event; null when the event does not name it. */
export const libraryOf = ({ $lib, $lib_version }: Readonly<Record<string, unknown>>): Library | null => {
  const name = shortText($lib);
  return name === '' ? null : { name, version: shortText($lib_version) };
};

/** The counts of one project in this process. */
export class ProjectTally {
  /** By outcome and reason. */
  readonly tallies = new Map<string, Tally>();
  /** Seen since they were last stored. */
  private libraries = new Map<string, SeenLibrary>();

  add(outcome: Outcome, reason: string, events: number, at: number): void {
    if (events === 0) return;
    const key = reason === '' ? outcome : reason;
    const tally = this.tallies.get(key);
    if (!tally) {
      this.tallies.set(key, { outcome, reason, events, stored: 0, lastAt: at });
      return;
    }
    tally.events += events;
    if (at > tally.lastAt) tally.lastAt = at;
  }

  saw(library: Library, at: number): void {
    const key = `${library.name}\0${library.version}`;
    if (this.libraries.size >= maxLibraries && !this.libraries.has(key)) return;
    this.libraries.set(key, { ...library, at });
  }

  takeLibraries(): readonly SeenLibrary[] {
    const taken = [...this.libraries.values()];
    this.libraries = new Map();
    return taken;
  }
}
