/** The parts of `/openapi.json` from which tools are made. */
export interface ArgumentSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly items?: ArgumentSchema;
  readonly anyOf?: readonly ArgumentSchema[];
  readonly oneOf?: readonly ArgumentSchema[];
  readonly allOf?: readonly ArgumentSchema[];
  readonly contentMediaType?: string;
  readonly contentSchema?: ArgumentSchema;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: ArgumentSchema;
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: ArgumentSchema }>> };
  readonly 'x-required-scopes'?: readonly string[];
}

interface Document {
  readonly info: { readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, ArgumentSchema>> };
}

/** A parameter of the path or the query, or a field of the body. */
export interface Argument {
  readonly name: string;
  readonly at: 'path' | 'query' | 'body';
  readonly isRequired: boolean;
  readonly description: string;
  readonly schema: ArgumentSchema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly hasBody: boolean;
  readonly hasIdempotencyKey: boolean;
  readonly arguments: readonly Argument[];
}

export interface Guide {
  readonly title: string;
  readonly path: string;
}

/** Tools answer in JSON, so that no call chooses another format. */
const unused = new Set(['format']);

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Reads `/openapi.json`. */
export class ApiDocument {
  readonly operations: ReadonlyMap<string, Operation>;
  /** The guides that the description of the document links to. */
  readonly guides: readonly Guide[];
  private readonly schemas: Readonly<Record<string, ArgumentSchema>>;

  constructor(json: string) {
    const { info, paths, components } = JSON.parse(json) as Document;
    this.schemas = components?.schemas ?? {};
    this.operations = new Map(
      Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, operation]) => {
          const { operationId: id } = operation;
          return id !== undefined && methods.has(method) ? [[id, this.operationOf(id, method, path, operation)]] : [];
        }),
      ),
    );
    const links = (info.description ?? '')
      .split('[')
      .map((text) => /^([^\]]+)\]\((\/docs\/[\w./-]+\.md)\)/.exec(text) ?? []);
    this.guides = links.flatMap(([, title, path]) =>
      title !== undefined && path !== undefined ? [{ title, path }] : [],
    );
  }

  /** The schema with what its references name, down to a depth at which a reader still sees the whole. */
  expanded(schema: ArgumentSchema, depth: number): ArgumentSchema {
    const known = this.resolved(schema);
    const { items, anyOf, oneOf, allOf, properties, contentSchema, ...own } = known;
    if (depth === 0) return { type: own.type ?? 'object', ...(own.enum ? { enum: own.enum } : {}) };
    const each = (forms: readonly ArgumentSchema[] | undefined) => forms?.map((form) => this.expanded(form, depth - 1));
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, this.expanded(field, depth - 1)]);
    return withoutUndefined({
      ...own,
      items: items && this.expanded(items, depth - 1),
      contentSchema: contentSchema && this.expanded(contentSchema, depth - 1),
      ...{ anyOf: each(anyOf), oneOf: each(oneOf), allOf: each(allOf) },
      properties: properties && (Object.fromEntries(fields) as ArgumentSchema['properties']),
    });
  }

  private operationOf(id: string, method: string, path: string, documented: DocumentedOperation): Operation {
    const { parameters = [], requestBody, summary = '', description = '' } = documented;
    const body = requestBody?.content?.['application/json']?.schema;
    const { properties = {}, required = [] } = body ? this.resolved(body) : {};
    const fields = Object.entries(properties).map(([name, schema]): Argument => {
      const known = this.resolved(schema);
      const about = schema.description ?? known.description ?? '';
      return { name, at: 'body', isRequired: required.includes(name), description: about, schema: known };
    });
    const inAddress = parameters.flatMap((parameter): Argument[] => {
      if (parameter.$ref !== undefined || parameter.in === 'header') return [];
      const { name, in: at, required: isRequired = false, description: about = '', schema = {} } = parameter;
      // A field of the body says more than a parameter of the same name.
      if (at === 'query' && name in properties) return [];
      return [{ name, at, isRequired, description: about, schema: this.resolved(schema) }];
    });
    return {
      ...{ id, method: method.toUpperCase(), path, summary, description },
      scopes: documented['x-required-scopes'] ?? [],
      hasBody: body !== undefined,
      hasIdempotencyKey: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey') ?? false),
      arguments: [...inAddress, ...fields].filter(({ name }) => !unused.has(name)),
    };
  }

  private resolved(schema: ArgumentSchema): ArgumentSchema {
    const { $ref, ...own } = schema;
    if ($ref === undefined) return schema;
    return { ...this.schemas[$ref.split('/').at(-1) ?? ''], ...own };
  }
}

const withoutUndefined = (schema: ArgumentSchema): ArgumentSchema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
