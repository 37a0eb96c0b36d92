import { type ImportRefusal } from '../../events/import/import-run.js';
import { type Journal, type MovedKind, kinds, type Outcome } from './journal.js';
import { MovingFault, type Found, type PostHog } from './posthog.js';
import {
  actionFrom,
  annotationFrom,
  cohortFrom,
  dashboardFrom,
  definitionFrom,
  insightFrom,
  personFrom,
  type Translated,
} from './records.js';
import { References } from './references.js';

/** The answer of the service here. */
export type Reply =
  | { readonly isRefused: false; readonly body: Found }
  | { readonly isRefused: true; readonly why: string };

/** Sends a request about the project here. A body that is no text is sent as JSON. */
export type SendHere = (method: 'POST' | 'PATCH', path: string, body: object | string, key?: string) => Promise<Reply>;

interface Moved {
  readonly kind: MovedKind;
  readonly as_it_was: number;
  readonly changed: number;
  readonly not_moved: number;
}

export interface MoveReport {
  readonly kinds: readonly Moved[];
  readonly changed: readonly Outcome[];
  readonly not_moved: readonly Outcome[];
}

/** A record that waits until those that it refers to have come over. */
interface Waiting {
  readonly kind: 'cohorts' | 'actions' | 'insights';
  readonly record: Found;
  readonly translated: Translated;
}

/** Members of a static cohort that are added with one request. */
const membersAtOnce = 1000;

/**
 * Brings a project of another product here through the interfaces of both. It begins with persons, because the members of
 * cohorts and the names of properties follow from them.
 */
export class ProjectMove {
  constructor(
    private readonly from: PostHog,
    private readonly sendHere: SendHere,
    private readonly journal: Journal,
    private readonly tell: (kind: MovedKind, records: number) => void,
  ) {}

  async all(): Promise<MoveReport> {
    await this.persons();
    await this.definitions('event_definitions', 'catalogue/events', {});
    await this.definitions('property_definitions', 'catalogue/properties', { kind: 'event' });
    await this.definitions('property_definitions?type=person', 'catalogue/properties', { kind: 'person' });
    await this.recordsThatRefer();
    await this.dashboards();
    await this.annotations();
    return this.report();
  }

  private async definitions(list: string, path: string, also: object): Promise<void> {
    const kind = list.startsWith('event_') ? 'event_definitions' : 'property_definitions';
    for await (const { records } of this.from.pages(list)) {
      for (const record of records) {
        const translated = definitionFrom(record);
        if (translated === null || this.journal.isDone(kind, idOf(record))) continue;
        const reply = await this.sendHere('PATCH', path, { ...translated.body, ...also });
        await this.note(kind, record, reply, translated.left);
      }
      this.tell(kind, records.length);
    }
  }

  /** Persons that came over twice are the same persons, so a page that was interrupted is sent again. */
  private async persons(): Promise<void> {
    const rest = this.journal.rest('persons');
    if (rest === null) return;
    for await (const { records, next } of this.from.pages('persons', rest)) {
      const known = records.filter(({ distinct_ids: ids }) => Array.isArray(ids) && ids.length > 0);
      const reply = await this.sendHere('POST', 'import', known.map((person) => `${personFrom(person)}\n`).join(''));
      if (reply.isRefused) throw new MovingFault(`the persons were refused: ${reply.why}`);
      for (const { line, detail } of (reply.body.rejected ?? []) as readonly ImportRefusal[]) {
        const person = known[line - 1] ?? {};
        await this.journal.write({ kind: 'persons', id: uuidOf(person), name: '', here: null, why: detail });
      }
      const moved = this.journal.records('persons') + known.length - Number(reply.body.rejected_count ?? 0);
      await this.journal.write({ kind: 'persons', next, records: moved });
      this.tell('persons', records.length);
    }
  }

  private async recordsThatRefer(): Promise<void> {
    const of = async (kind: Waiting['kind'], translate: (record: Found) => Translated): Promise<Waiting[]> => {
      const records = (await this.from.list(kind)).filter(({ deleted }) => deleted !== true);
      this.tell(kind, records.length);
      return records
        .filter((record) => !this.journal.isDone(kind, idOf(record)))
        .map((record) => ({ kind, record, translated: translate(record) }));
    };
    let waiting = [
      ...(await of('cohorts', cohortFrom)),
      ...(await of('actions', actionFrom)),
      ...(await of('insights', insightFrom)),
    ];
    // A record waits for those that it refers to; a round in which none comes over is the last one.
    for (let before = Infinity; waiting.length < before;) {
      before = waiting.length;
      const left: Waiting[] = [];
      for (const each of waiting) {
        const { missing, body } = this.withIdsOfHere(each);
        if (missing.length > 0) left.push(each);
        else await this.create(each, body);
      }
      waiting = left;
    }
    for (const each of waiting) {
      const why = `it refers to ${this.withIdsOfHere(each).missing.join(', ')}, which did not come over`;
      await this.note(each.kind, each.record, { isRefused: true, why }, []);
    }
  }

  private withIdsOfHere({ translated }: Pick<Waiting, 'translated'>): {
    readonly body: object;
    readonly missing: readonly string[];
  } {
    const references = new References((referred, id) => this.journal.here(referred, id));
    const body = references.translate(translated.body) as object;
    return { body, missing: [...references.missing] };
  }

  private async create({ kind, record, translated }: Waiting, body: object): Promise<void> {
    const reply = await this.sendHere('POST', kind, body, this.keyOf(kind, record));
    if (kind === 'cohorts' && record.is_static === true && !reply.isRefused)
      await this.members(idOf(record), Number(reply.body.id));
    await this.note(kind, record, reply, translated.left);
  }

  private async members(there: number | string, here: number): Promise<void> {
    let ids: string[] = [];
    const add = async (): Promise<void> => {
      const path = `cohorts/${here}/add_persons_to_static_cohort`;
      const reply = await this.sendHere('PATCH', path, { distinct_ids: ids });
      if (reply.isRefused) throw new MovingFault(`the members of cohort ${here} were refused: ${reply.why}`);
      ids = [];
    };
    for await (const { records } of this.from.pages(`cohorts/${there}/persons`)) {
      for (const { distinct_ids: of } of records) if (Array.isArray(of)) ids.push(String(of[0]));
      if (ids.length + records.length > membersAtOnce) await add();
    }
    if (ids.length > 0) await add();
  }

  private async dashboards(): Promise<void> {
    for (const listed of await this.from.list('dashboards')) {
      if (listed.deleted === true || this.journal.isDone('dashboards', idOf(listed))) continue;
      const record = await this.from.one(`dashboards/${idOf(listed)}/`);
      const asItWas = await this.dashboard(record, true);
      const { reply, left } = asItWas.reply.isRefused ? await this.dashboard(record, false) : asItWas;
      await this.note('dashboards', record, reply, left);
      this.tell('dashboards', 1);
    }
  }

  /** Filters for all tiles that refer to what has not come over, or that are refused here, must not keep the dashboard away. */
  private async dashboard(record: Found, isFiltered: boolean): Promise<{ reply: Reply; left: readonly string[] }> {
    const translated = dashboardFrom(record, (id) => this.journal.here('insights', id), { isFiltered });
    const { missing, body } = this.withIdsOfHere({ translated });
    if (missing.length > 0) return { reply: { isRefused: true, why: missing.join(', ') }, left: [] };
    const key = `${this.keyOf('dashboards', record)}${isFiltered ? '' : ' without filters'}`;
    return { reply: await this.sendHere('POST', 'dashboards', body, key), left: translated.left };
  }

  private async annotations(): Promise<void> {
    for (const record of await this.from.list('annotations')) {
      if (record.deleted === true || this.journal.isDone('annotations', idOf(record))) continue;
      const { body, left } = annotationFrom(record, (kind, id) => this.journal.here(kind, id));
      const reply = await this.sendHere('POST', 'annotations', body, this.keyOf('annotations', record));
      await this.note('annotations', record, reply, left);
      this.tell('annotations', 1);
    }
  }

  /** A request that was sent before the process was killed makes nothing twice. */
  private keyOf(kind: MovedKind, record: Found): string {
    return `move ${this.from.name} ${kind} ${idOf(record)}`;
  }

  private async note(kind: MovedKind, record: Found, reply: Reply, left: readonly string[]): Promise<void> {
    const of = { kind, id: idOf(record), name: typeof record.name === 'string' ? record.name : '' };
    const here = !reply.isRefused && typeof reply.body.id === 'number' ? reply.body.id : null;
    await this.journal.write(reply.isRefused ? { ...of, here, why: reply.why } : { ...of, here, left });
  }

  private report(): MoveReport {
    const isChanged = ({ why, left = [] }: Outcome): boolean => why === undefined && left.length > 0;
    const rows = kinds.map((kind) => {
      const outcomes = this.journal.of(kind);
      const changed = outcomes.filter(isChanged).length;
      const notMoved = outcomes.filter(({ why }) => why !== undefined).length;
      const asItWas = outcomes.length - changed - notMoved + this.journal.records(kind);
      return { kind, as_it_was: asItWas, changed, not_moved: notMoved };
    });
    const all = kinds.flatMap((kind) => this.journal.of(kind));
    return { kinds: rows, changed: all.filter(isChanged), not_moved: all.filter(({ why }) => why !== undefined) };
  }
}

const idOf = ({ id }: Found): number | string => id as number | string;
const uuidOf = ({ uuid, id }: Found): string => String(uuid ?? id);
