import { presentationNames } from '../../src/platform/http/presentation-names.js';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined without a JSON body. */
  readonly body: unknown;
}

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Json;
}

/** Texts that switch off a parameter that the service lacks. */
const offTexts = ['', 'false', '0'];

/** Holds the requests of the tests to the document: those that the service has accepted. */
export class RequestCheck {
  constructor(
    /** The fault of a value, by the schema at a pointer of the document. */
    private readonly faultOf: (pointer: string, value: unknown) => string | null,
    private readonly resolved: (node: Json) => Json,
  ) {}

  complaint(operation: Json, pointer: string, { query, body, method }: SentRequest): string | null {
    // Capture is lenient.
    if (!Array.isArray(operation.security) || operation.security.length === 0) return null;
    return this.queryComplaint(operation, pointer, query) ?? this.bodyComplaint(operation, pointer, method, body);
  }

  private queryComplaint(operation: Json, pointer: string, query: URLSearchParams): string | null {
    const declared = ((operation.parameters ?? []) as Json[]).map((one) => this.resolved(one) as unknown as Parameter);
    for (const name of new Set(query.keys())) {
      const at = declared.findIndex((parameter) => parameter.in === 'query' && parameter.name === name);
      const parameter = declared[at];
      if (!parameter && (presentationNames.includes(name) || offTexts.includes(query.get(name) ?? ''))) continue;
      if (!parameter) return `the parameter ${name} is not documented`;
      const fault = this.valueFault(`${pointer}/parameters/${at}/schema`, parameter.schema, query.getAll(name));
      if (fault !== null) return `parameter ${name}: ${fault}`;
    }
    return null;
  }

  /** A query string has texts: any type that the text can mean will do. */
  private valueFault(pointer: string, schema: Json, texts: readonly string[]): string | null {
    const [text = ''] = texts;
    // An empty value is a missing one.
    if (texts.length === 1 && text === '') return null;
    if (schema.contentSchema !== undefined) return this.faultOf(`${pointer}/contentSchema`, jsonOr(text));
    const meanings: unknown[] =
      texts.length > 1 ? [texts] : [text, jsonOr(text), booleans[text.toLowerCase()], [...texts]];
    const faults = meanings.map((value) => this.faultOf(pointer, value));
    return faults.includes(null) ? null : (faults[0] ?? null);
  }

  private bodyComplaint(operation: Json, pointer: string, method: string, body: unknown): string | null {
    if (body === undefined || body === null) return null;
    const content = (operation.requestBody as Json | undefined)?.content as Record<string, Json> | undefined;
    if (!content) return 'a body where none is documented';
    if (!content['application/json']) return null;
    const own = Array.isArray(body) ? body : this.withoutOthers(operation, method, body as Json);
    return this.faultOf(`${pointer}/requestBody/content/application~1json/schema`, own);
  }

  /** A record may be sent back as it was read, and a parameter that the service lacks may be switched off. */
  private withoutOthers(operation: Json, method: string, body: Json): Json {
    const schemaOf = (content: unknown) => (content as Record<string, Json>)['application/json']?.schema as Json;
    const writable = this.propertiesOf(schemaOf((operation.requestBody as Json).content));
    const answer = (operation.responses as Record<string, Json>)['200'];
    const read = method.toUpperCase() === 'PATCH' && answer?.content ? this.propertiesOf(schemaOf(answer.content)) : {};
    const isKnownOtherwise = (name: string): boolean => name in read || body[name] === null || body[name] === false;
    return Object.fromEntries(Object.entries(body).filter(([name]) => name in writable || !isKnownOtherwise(name)));
  }

  private propertiesOf(schema: Json): Json {
    return (this.resolved(schema).properties ?? {}) as Json;
  }
}

const booleans: Readonly<Record<string, boolean>> = { '1': true, '0': false, true: true, false: false };

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
