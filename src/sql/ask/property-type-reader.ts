import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../../platform/values/bounded-map.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type OwnerOfProperties, type PropertyType, type PropertyTypes } from '../statement.js';
import { shipmentsUpTo } from '../../kernel/projection/projection.js';
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
/** The most properties that one statement looks up. */
const maxNamed = 25;
/** The types of a property are read in full again after this time, so that deleted and replaced values no longer count. */
const fullReadMs = 600_000;

/** The types of the values of a property, in the rows of all shipments up to `position`. */
interface Known {
  readonly hasNumbers: boolean;
  readonly hasOthers: boolean;
  readonly position: string;
  readonly fullyReadAt: number;
}

/**
 * Decides the types of properties from all of their values, so that the same data has the same answer, however long the
 * service has run and whatever it has counted so far. Each row is read once: later questions read newer shipments only.
 */
@Injectable()
export class PropertyTypeReader {
  private readonly known = new BoundedMap<string, Known>(maxRemembered);

  constructor(private readonly clickhouse: ClickHouse) {}

  /** `position` is the position of the projection, which has everything that arrived before the question. */
  async read(project: ProjectContext, named: readonly OwnedProperty[], position: string): Promise<KnownTypes> {
    const remembered = ({ owner, key }: OwnedProperty): string => `${project.id} ${keyOf(owner, key)}`;
    const types = new Map<string, PropertyType>();
    for (let from = 0; from < named.length; from += maxNamed) {
      const some = named.slice(from, from + maxNamed);
      const before = some.map((property) => this.known.get(remembered(property)));
      const found = await this.readNewer(project, some, before, position);
      for (const [at, property] of some.entries()) {
        const known = found[at] as Known;
        this.known.set(remembered(property), known);
        types.set(keyOf(property.owner, property.key), typeOf(known));
      }
    }
    return new KnownTypes(types);
  }

  private async readNewer(
    project: ProjectContext,
    named: readonly OwnedProperty[],
    before: readonly (Known | undefined)[],
    position: string,
  ): Promise<Known[]> {
    const now = performance.now();
    const known = before.map((each) => (each && now - each.fullyReadAt < fullReadMs ? each : null));
    const searched = named.flatMap((property, place) => {
      const { hasNumbers = false, hasOthers = false, position: seen = null } = known[place] ?? {};
      if (seen === position || (hasNumbers && hasOthers)) return [];
      return [{ ...property, place, after: seen === null ? null : shipmentsUpTo(seen), hasNumbers, hasOthers }];
    });
    const rows =
      searched.length === 0
        ? []
        : await this.clickhouse.query<{ place: number; is_number: boolean }>(typesOfNamedSql(project.id, searched), {
            project,
          });
    const has = (at: number, isNumber: boolean): boolean =>
      rows.some(({ place, is_number }) => place === at && is_number === isNumber);
    return named.map((_, at) => ({
      hasNumbers: (known[at]?.hasNumbers ?? false) || has(at, true),
      hasOthers: (known[at]?.hasOthers ?? false) || has(at, false),
      position,
      fullyReadAt: known[at]?.fullyReadAt ?? now,
    }));
  }
}

const typeOf = ({ hasNumbers, hasOthers }: Known): PropertyType =>
  hasNumbers ? (hasOthers ? 'mixed' : 'number') : 'other';
