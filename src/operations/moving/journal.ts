import { appendFile, readFile } from 'node:fs/promises';

export const kinds = [
  'event_definitions',
  'property_definitions',
  'persons',
  'cohorts',
  'actions',
  'insights',
  'dashboards',
  'annotations',
] as const;

export type MovedKind = (typeof kinds)[number];

/** Says how a record came over. */
export interface Outcome {
  readonly kind: MovedKind;
  /** There. */
  readonly id: number | string;
  readonly name: string;
  /** Its id here; null if it did not come over, or has no id here. */
  readonly here: number | null;
  /** The parts that did not come over. */
  readonly left?: readonly string[];
  /** Why it did not come over. */
  readonly why?: string;
}

/** How far a list has come over. */
interface Progress {
  readonly kind: MovedKind;
  readonly next: string | null;
  readonly records: number;
}

type Line = Outcome | Progress;

const keyOf = (kind: MovedKind, id: number | string): string => `${kind} ${id}`;

/**
 * A file with a line for each record that came over, so that a move that was interrupted goes on when the command is run again.
 * Records that did not come over are tried again, but for persons that the import has rejected.
 */
export class Journal {
  private readonly outcomes = new Map<string, Outcome>();
  private readonly progress = new Map<MovedKind, Progress>();

  private constructor(readonly file: string) {}

  static async open(file: string): Promise<Journal> {
    const journal = new Journal(file);
    const written = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    // A process that is killed while it writes leaves half a line.
    const lines = written.slice(0, written.lastIndexOf('\n') + 1).split('\n');
    for (const line of lines) if (line !== '') journal.take(JSON.parse(line) as Line);
    return journal;
  }

  here(kind: MovedKind, id: number | string): number | null {
    return this.outcomes.get(keyOf(kind, id))?.here ?? null;
  }

  isDone(kind: MovedKind, id: number | string): boolean {
    const outcome = this.outcomes.get(keyOf(kind, id));
    return outcome !== undefined && outcome.why === undefined;
  }

  /** Where the rest of a list begins; undefined if nothing of it came over, null if all did. */
  rest(kind: MovedKind): string | null | undefined {
    return this.progress.get(kind)?.next;
  }

  records(kind: MovedKind): number {
    return this.progress.get(kind)?.records ?? 0;
  }

  of(kind: MovedKind): readonly Outcome[] {
    return [...this.outcomes.values()].filter((outcome) => outcome.kind === kind);
  }

  async write(line: Line): Promise<void> {
    await appendFile(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    this.take(line);
  }

  private take(line: Line): void {
    if ('next' in line) this.progress.set(line.kind, line);
    else this.outcomes.set(keyOf(line.kind, line.id), line);
  }
}
