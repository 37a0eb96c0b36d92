import { type CsvRow } from '../../platform/csv/csv.js';
import { type OccurringKeys } from './occurring-keys.js';

/** The fields of a person in every CSV file. */
export interface CsvPerson {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly distinct_ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>> | object;
}

const fixed = ['id', 'uuid', 'name', 'created_at', 'distinct_ids'];
/** The column of a property always contains a dot, so no property can have this name. */
const remainder = 'properties';

/**
 * The columns of a file, made once all occurring keys are known. Properties without a column go into the last column, as JSON.
 */
export class PersonColumns {
  readonly header: readonly string[];
  private readonly keys: readonly string[];
  /** Null when each key has a column. */
  private readonly withColumn: ReadonlySet<string> | null;

  constructor(
    keys: OccurringKeys,
    /** The fields that these persons have in addition to the common ones, each in a column of its name. */
    private readonly extra: readonly string[] = [],
  ) {
    this.keys = keys.columns;
    this.withColumn = keys.hasMore ? new Set(this.keys) : null;
    const last = this.withColumn ? [remainder] : [];
    this.header = [...fixed, ...extra, ...this.keys.map((key) => `properties.${key}`), ...last];
  }

  row(person: CsvPerson): CsvRow {
    const properties = person.properties as Readonly<Record<string, unknown>>;
    const row: unknown[] = [
      person.id,
      person.uuid,
      person.name,
      person.created_at,
      person.distinct_ids.length === 1 ? person.distinct_ids[0] : person.distinct_ids.join(';'),
    ];
    for (const name of this.extra) row.push((person as unknown as Record<string, unknown>)[name]);
    for (const key of this.keys) row.push(Object.hasOwn(properties, key) ? properties[key] : null);
    if (this.withColumn) row.push(this.remainderOf(properties, this.withColumn));
    return row;
  }

  private remainderOf(properties: Readonly<Record<string, unknown>>, withColumn: ReadonlySet<string>): object | null {
    const rest = Object.entries(properties).filter(([key]) => !withColumn.has(key));
    return rest.length === 0 ? null : Object.fromEntries(rest);
  }
}
