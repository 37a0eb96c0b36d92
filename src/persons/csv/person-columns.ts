import { type CsvRow } from '../../common/csv/csv.js';

/** What a person has in every CSV file. */
export interface CsvPerson {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly created_at: string;
  readonly distinct_ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>> | object;
}

const fixed = ['id', 'uuid', 'name', 'created_at', 'distinct_ids'];

/** The columns of a file, known once every key is known that occurs in it. */
export class PersonColumns {
  readonly header: readonly string[];
  private readonly keys: readonly string[];

  constructor(
    keys: Iterable<string>,
    /** What these persons show beside the common shape, each in a column of its name. */
    private readonly extra: readonly string[] = [],
  ) {
    this.keys = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    this.header = [...fixed, ...extra, ...this.keys.map((key) => `properties.${key}`)];
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
    return row;
  }
}
