import { invalidInput } from '../../platform/errors/problem.js';
import { PersonProperties, jsonEqual } from '../../kernel/identity/person-properties.js';
import { type PersonChanges } from '../../kernel/event-log/normalise/person-changes.js';

type Properties = Readonly<Record<string, unknown>>;

export interface Point {
  readonly timestamp: Date;
  properties: Properties;
  relevantEvents: number;
}

export interface Happening {
  readonly timestamp: Date;
  readonly changes: PersonChanges;
  readonly isRelevant: boolean;
}

const maxPoints = 5000;
const maxCharacters = 32 * 1024 * 1024;

/**
 * Replays a person's events one after the other. A point is added at each relevant event at which a crucial property has another
 * value than at the previous relevant event.
 */
export class TimelinePoints {
  private readonly state = new PersonProperties({});
  /** The values at the last relevant event, for the properties that were changed after it. */
  private readonly before = new Map<string, unknown>();
  /** Keys that an event has set or removed. Their present value says nothing about the value at the start. */
  private readonly overruled = new Set<string>();
  private readonly points: Point[] = [];
  private characters = 0;

  constructor(
    /** Null when every key is crucial. */
    private readonly crucial: ReadonlySet<string> | null,
  ) {}

  add({ timestamp, changes, isRelevant }: Happening): void {
    const { set, setOnce, unset } = changes;
    const keys = new Set([...Object.keys(set), ...Object.keys(setOnce), ...unset]);
    for (const key of keys) if (!this.before.has(key)) this.before.set(key, this.state.get(key));
    for (const key of Object.keys(set)) this.overruled.add(key);
    for (const key of unset) this.overruled.add(key);
    this.state.apply(changes);
    if (isRelevant) this.take(timestamp);
  }

  /**
   * Returns the points. A property that no event of the log can have written, for example an imported one, counts as present from
   * the start; so does a value that existed before a `$set_once`.
   */
  finish(now: Properties): Point[] {
    const present = Object.entries(now).filter(
      ([key, value]) => !this.overruled.has(key) && !jsonEqual(value, this.state.get(key)),
    );
    const finished: Point[] = [];
    for (const point of this.points) {
      const properties = { ...point.properties, ...Object.fromEntries(present) };
      const last = finished.at(-1);
      if (last && !this.differ(last.properties, properties)) last.relevantEvents += point.relevantEvents;
      else finished.push({ ...point, properties });
    }
    return finished;
  }

  private take(timestamp: Date): void {
    const last = this.points.at(-1);
    const changed = [...this.before].some(
      ([key, value]) => this.isCrucial(key) && !jsonEqual(value, this.state.get(key)),
    );
    this.before.clear();
    if (last && !changed) {
      last.relevantEvents += 1;
      return;
    }
    const properties = this.state.toObject();
    this.characters += JSON.stringify(properties).length;
    if (this.points.length >= maxPoints || this.characters > maxCharacters) throw tooLong();
    this.points.push({ timestamp, properties, relevantEvents: 1 });
  }

  private isCrucial(key: string): boolean {
    return this.crucial === null || this.crucial.has(key);
  }

  private differ(a: Properties, b: Properties): boolean {
    const keys = this.crucial ?? new Set([...Object.keys(a), ...Object.keys(b)]);
    const own = (object: Properties, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
    for (const key of keys) if (!jsonEqual(own(a, key), own(b, key))) return true;
    return false;
  }
}

const tooLong = () =>
  invalidInput(
    `the timeline has more than ${maxPoints} points, or too large ones: request a shorter range, or name fewer crucial keys by filters of type person`,
    'date_from',
  );
