import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../../common/bounded-map.js';
import { type ProjectContext } from '../../common/project-context.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { type OwnerOfProperties, type PropertyType, type PropertyTypes } from '../statement.js';
import { typesOfNamedSql, type OwnedProperty } from '../tables/property-types.sql.js';

const keyOf = (owner: OwnerOfProperties, key: string): string => `${owner} ${key}`;

/** Notes which properties a question reads, while it is compiled for the first time. */
export class NotedProperties implements PropertyTypes {
  private readonly noted = new Map<string, OwnedProperty>();

  of(owner: OwnerOfProperties, key: string): PropertyType {
    this.noted.set(keyOf(owner, key), { owner, key });
    return 'other';
  }

  get all(): readonly OwnedProperty[] {
    return [...this.noted.values()];
  }
}

export class KnownTypes implements PropertyTypes {
  constructor(private readonly types: ReadonlyMap<string, PropertyType>) {}

  of(owner: OwnerOfProperties, key: string): PropertyType {
    return this.types.get(keyOf(owner, key)) ?? 'other';
  }
}

const maxRemembered = 10_000;
/** Of one statement. */
const maxNamed = 25;

/**
 * Decides the types of properties from all of their values, so that the same data has the same answer, however long the
 * service has run and whatever it has counted so far.
 */
@Injectable()
export class PropertyTypeReader {
  private readonly known = new BoundedMap<string, PropertyType>(maxRemembered);

  constructor(private readonly clickhouse: ClickHouse) {}

  /** `position` is that of the projection, which has everything that arrived before the question. */
  async read(project: ProjectContext, named: readonly OwnedProperty[], position: string): Promise<KnownTypes> {
    const remembered = ({ owner, key }: OwnedProperty): string => `${project.id} ${position} ${keyOf(owner, key)}`;
    const types = new Map<string, PropertyType>();
    const unknown = named.filter((property) => {
      const type = this.known.get(remembered(property));
      if (type !== undefined) types.set(keyOf(property.owner, property.key), type);
      return type === undefined;
    });
    for (let from = 0; from < unknown.length; from += maxNamed) {
      const some = unknown.slice(from, from + maxNamed);
      const found = await this.typesOf(project, some);
      for (const [at, property] of some.entries()) {
        const type = found[at] ?? 'other';
        types.set(keyOf(property.owner, property.key), type);
        this.known.set(remembered(property), type);
      }
    }
    return new KnownTypes(types);
  }

  private async typesOf(project: ProjectContext, named: readonly OwnedProperty[]): Promise<PropertyType[]> {
    const rows = await this.clickhouse.query<{ place: number; is_number: boolean }>(
      typesOfNamedSql(project.id, named),
      { project },
    );
    const has = (place: number, isNumber: boolean): boolean =>
      rows.some((row) => row.place === place && row.is_number === isNumber);
    return named.map((_, at) => (has(at, true) ? (has(at, false) ? 'mixed' : 'number') : 'other'));
  }
}
