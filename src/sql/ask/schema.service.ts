import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { propertyOfPath, typeOfStored } from '../../kernel/projection/schema/property.sql.js';
import { shortForms } from '../compile/short-forms.sql.js';
import { allFunctions } from '../functions/find-function.js';
import { allTables } from '../tables/all-tables.js';
import { functionsSql, propertyTypesSql } from '../tables/property-types.sql.js';
import { type QuerySchemaDto, type SchemaFunctionDto, type SchemaPropertyDto } from './schema.dto.js';

interface PropertyRow {
  readonly path: string;
  readonly types: readonly string[];
  readonly count: number;
}

const descriptionsOfShortForms: Readonly<Record<string, string>> = {
  toFloat: 'The value as a number; NULL if it is none.',
  toInt: 'The value as an integer; NULL if it is none.',
  dateAdd: 'dateAdd(day, 1, time): a later moment.',
  dateSub: 'dateSub(day, 1, time): an earlier moment.',
  inCohort: 'inCohort(person_id, 5): whether the person is in the cohort of an id or a name.',
  matchesAction: "matchesAction('name'): whether the event matches the action of a name or an id.",
};

/** Lists the names that a question can use. */
@Injectable()
export class SchemaService {
  private functions: Promise<readonly SchemaFunctionDto[]> | null = null;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
  ) {}

  async read(project: ProjectContext, now: Date): Promise<QuerySchemaDto> {
    const { asOf } = await this.projection.waitUntilFresh(project.id, now);
    const [event, person, functions] = await Promise.all([
      this.properties(project, 'event'),
      this.properties(project, 'person'),
      this.knownFunctions(),
    ]);
    return {
      tables: allTables.map(({ name, description, columns, nested }) => ({
        name,
        description,
        columns: [...columns, ...nested],
      })),
      properties: { event, person },
      functions: [...functions],
      as_of: asOf.toISOString(),
    };
  }

  private async properties(project: ProjectContext, owner: 'event' | 'person'): Promise<SchemaPropertyDto[]> {
    const rows = await this.clickhouse.query<PropertyRow>(propertyTypesSql(project.id, owner), { project });
    return rows.map(({ path, types, count }) => ({
      name: propertyOfPath(path),
      types: [...new Set(types.map(typeOfStored))].sort(),
      count,
    }));
  }

  /** Reads the functions once, because the engine does not change while the service runs. */
  private async knownFunctions(): Promise<readonly SchemaFunctionDto[]> {
    this.functions ??= this.readFunctions();
    try {
      return await this.functions;
    } catch (error) {
      this.functions = null;
      throw error;
    }
  }

  private async readFunctions(): Promise<readonly SchemaFunctionDto[]> {
    const rows = await this.clickhouse.query<{ name: string; description: string }>(functionsSql, {
      project: 'system',
    });
    const descriptions = new Map(rows.map(({ name, description }) => [name, description]));
    const engine = allFunctions().flatMap(({ name, kind }) => {
      const description = descriptions.get(name);
      return description === undefined ? [] : [{ name, kind, description }];
    });
    const ours = shortForms.map((name) => ({
      name,
      kind: 'scalar',
      description: descriptionsOfShortForms[name] ?? '',
    }));
    return [...ours, ...engine].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  }
}
