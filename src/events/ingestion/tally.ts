/** The outcome of a captured event. Only rejections have a reason. */
export type Outcome = 'accepted' | 'duplicate' | 'rejected';

export interface Tally {
  readonly outcome: Outcome;
  /** The code of a rejection; empty for other outcomes. */
  readonly reason: string;
  /** The events that this process has counted since its start. */
  events: number;
  /** The part of `events` that is already stored. */
  stored: number;
  lastAt: number;
}

export interface Library {
  readonly name: string;
  readonly version: string;
}

interface SeenLibrary extends Library {
  at: number;
}

const maxLibraryCharacters = 100;
/** Each project keeps at most this many names, in memory and in the store, because clients choose them. */
export const maxLibraries = 100;

const shortText = (value: string): string => value.slice(0, maxLibraryCharacters).replaceAll('\0', '');

/** Returns the client library that an event names; null if it names none. */
export const libraryOf = ({ $lib, $lib_version }: Readonly<Record<string, unknown>>): Library | null =>
  typeof $lib === 'string' && $lib !== ''
    ? { name: $lib, version: typeof $lib_version === 'string' ? $lib_version : '' }
    : null;

/** The counts of one project in this process. */
export class ProjectTally {
  /** The tallies, by outcome or, for rejections, by reason. */
  readonly tallies = new Map<string, Tally>();
  /** The libraries that were seen since the last time they were stored. */
  private libraries = new Map<string, SeenLibrary>();
  /** The last library and its entry, because the next request usually has the same library. */
  private last: { readonly sent: Library; readonly seen: SeenLibrary } | null = null;

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

  saw(sent: Library, at: number): void {
    const { last } = this;
    if (last && last.sent.name === sent.name && last.sent.version === sent.version) {
      if (at > last.seen.at) last.seen.at = at;
      return;
    }
    const [name, version] = [shortText(sent.name), shortText(sent.version)];
    const key = `${name}\0${version}`;
    const known = this.libraries.get(key);
    if (!known && this.libraries.size >= maxLibraries) return;
    const seen = known ?? { name, version, at };
    if (at > seen.at) seen.at = at;
    this.libraries.set(key, seen);
    this.last = { sent, seen };
  }

  takeLibraries(): readonly SeenLibrary[] {
    const taken = [...this.libraries.values()];
    this.libraries = new Map();
    this.last = null;
    return taken;
  }
}
