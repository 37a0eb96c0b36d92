/** The kinds of records that others refer to by their ids. */
export type Referred = 'cohorts' | 'actions';

/** Returns the id here for an id there; null if the record has not come over. */
export type IdsHere = (kind: Referred, id: number) => number | null;

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

const cohortTypes = ['cohort', 'static-cohort', 'dynamic-cohort', 'precalculated-cohort'];

const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: Json): value is number | string =>
  (typeof value === 'number' && Number.isInteger(value)) || (typeof value === 'string' && /^\d+$/.test(value));

/** Puts ids of here in place of those of there, wherever a definition or a question refers to a cohort or an action. */
export class References {
  /** Names records that have not come over, such as "cohorts 12". */
  readonly missing = new Set<string>();

  constructor(private readonly idsHere: IdsHere) {}

  translate(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.translate(one));
    if (!isFields(value)) return value;
    const inside = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.translate(one)]));
    const { type, kind, event_type, seq_event_type, breakdown_type } = value;
    if (typeof type === 'string' && cohortTypes.includes(type)) inside.value = this.ids('cohorts', value.value);
    if (type === 'actions' || kind === 'ActionsNode') inside.id = this.ids('actions', value.id);
    if (event_type === 'actions') inside.key = this.ids('actions', value.key);
    if (seq_event_type === 'actions') inside.seq_event = this.ids('actions', value.seq_event);
    if (breakdown_type === 'cohort') inside.breakdown = this.ids('cohorts', value.breakdown);
    return inside;
  }

  /** Values that are no ids, such as `all` in a breakdown, stay as they are. */
  private ids(kind: Referred, value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.ids(kind, one));
    if (!isId(value)) return value;
    const id = this.idsHere(kind, Number(value));
    if (id === null) this.missing.add(`${kind} ${value}`);
    return id ?? value;
  }
}
