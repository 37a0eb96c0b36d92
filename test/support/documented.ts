import { type OpenAPIObject } from '@nestjs/swagger';
import { type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { organization } from '../../src/kernel/access/organization.js';
import { acceptedBy } from './accepted.js';
import { RequestCheck, type SentRequest } from './documented-request.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type JsonObject = Record<string, unknown>;

/** The other paths of the operations of a path. */
export const aliasesOf = (item: object): string[] => [
  ...new Set(Object.values(item).flatMap((operation: { 'x-aliases'?: string[] }) => operation['x-aliases'] ?? [])),
];

/** The schema of a JSON body, also where the operation only names it. */
export const bodySchemaOf = (document: OpenAPIObject, operation: unknown): JsonObject => {
  const body = at(at(at(at(operation, 'requestBody'), 'content'), 'application/json'), 'schema') ?? {};
  const name = typeof body.$ref === 'string' ? body.$ref.split('/').at(-1) : undefined;
  return name === undefined ? body : (document.components?.schemas?.[name] as unknown as JsonObject);
};

/** 431 comes before anything looks for a route. */
const problemOnly = new Set([404, 405, 431]);

/** Holds every answer of the tests to the document: status, content type, body, and no key that is not described. */
export class Documented {
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly patterns: readonly { readonly template: string; readonly pattern: RegExp }[];

  private readonly requests: RequestCheck;

  constructor(private readonly document: OpenAPIObject) {
    this.requests = new RequestCheck(
      (pointer, value) => this.requestFaultOf(`document${pointer}`, value),
      (node) => (typeof node.$ref === 'string' ? this.resolve(node.$ref) : node),
    );
    this.ajv = new Ajv2020({ strict: false, allErrors: true });
    (formats as unknown as (ajv: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema({ $id: 'document', ...acceptedBy(document) });
    this.patterns = Object.entries(document.paths)
      .flatMap(([template, item]) => [template, ...aliasesOf(item)].map((path) => ({ template, path })))
      // Literal segments before parameters, as the router has it: /keys/@current is not /keys/{id}.
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
      .map(({ template, path }) => ({ template, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`) }));
  }

  check(method: string, path: string, answer: Answer): void {
    const complaint = this.complaint(method.toLowerCase(), path, answer);
    if (complaint)
      throw new Error(`${method} ${path} answered ${answer.status}: ${complaint}\n${answer.text.slice(0, 500)}`);
  }

  knows(path: string): boolean {
    return this.templateOf(path, '') !== undefined;
  }

  /** Null where the answer is a problem that says the status it has; else what is wrong with it. */
  problemComplaint(answer: Answer): string | null {
    const type = answer.headers['content-type']?.split(';')[0];
    if (type !== 'application/problem+json') return `content type ${type}`;
    const body = jsonOf(answer.text) as JsonObject | undefined;
    const absent = ['type', 'code', 'detail', 'attr', 'status', 'request_id'].find((key) => !(key in (body ?? {})));
    if (!body || absent) return `${absent} is missing`;
    return body.status === answer.status ? null : `it says status ${String(body.status)}`;
  }

  /** Null where the answer is as the document says; else what is wrong with it. */
  complaint(method: string, path: string, answer: Answer): string | null {
    const template = this.templateOf(path, method);
    const operation = template ? at(this.document.paths[template], method) : undefined;
    const type = answer.headers['content-type']?.split(';')[0];
    if (!operation) {
      if (template && [401, 403, 404].includes(answer.status)) return this.fault('ProblemDto', answer);
      return problemOnly.has(answer.status) ? this.fault('ProblemDto', answer) : 'the operation is not documented';
    }
    const declared = at(at(operation, 'responses'), String(answer.status));
    if (!declared) return 'the status is not documented';
    const response = typeof declared.$ref === 'string' ? this.resolve(declared.$ref) : declared;
    const content = response.content as JsonObject | undefined;
    if (!content) return answer.text === '' ? null : 'a body where none is documented';
    if (type === 'text/csv' && response['x-csv'] === true) return null;
    if (!type || !(type in content)) return `content type ${type} is not documented`;
    if (!/[/+]json$/.test(type)) return null;
    const pointer =
      typeof declared.$ref === 'string'
        ? declared.$ref
        : `#/paths/${escaped(template ?? '')}/${method}/responses/${answer.status}`;
    const fault = this.faultAt(`document${pointer}/content/${escaped(type)}/schema`, answer);
    return fault === null ? null : this.answeredByOther(template ?? '', method, answer) ? null : fault;
  }

  /** True if the answer is that of an operation with a path of its own that answers here, too. */
  private answeredByOther(template: string, method: string, answer: Answer): boolean {
    return Object.entries(this.document.paths).some(([path, item]) => {
      const operation = at(item, method);
      if (operation?.['x-also-answers'] !== template) return false;
      const pointer = `#/paths/${escaped(path)}/${method}/responses/${answer.status}/content/application~1json/schema`;
      return this.faultAt(`document${pointer}`, answer) === null;
    });
  }

  /** The router passes over a path that fits as long as it has no such method: PATCH /persons/funnel is /persons/{id}. */
  private templateOf(path: string, method: string): string | undefined {
    // The document has one of the addresses.
    const described = path
      .replace(/^\/api\/environments(?=\/|$)/, '/api/projects')
      .replace(`/api/organizations/${organization.id}`, '/api/organizations/@current');
    const fitting = this.patterns.filter(({ pattern }) => pattern.test(described));
    return (fitting.find(({ template }) => at(this.document.paths[template], method)) ?? fitting[0])?.template;
  }

  private fault(model: string, answer: Answer): string | null {
    return this.faultAt(`document#/components/schemas/${model}`, answer);
  }

  private faultAt(reference: string, answer: Answer): string | null {
    const body = jsonOf(answer.text);
    return body === undefined ? 'the body is not JSON' : this.faultOf(reference, body);
  }

  private faultOf(reference: string, value: unknown): string | null {
    const known = this.validators.get(reference);
    const validate = known ?? this.ajv.compile({ $ref: reference });
    this.validators.set(reference, validate);
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  /** Null where a schema that is part of the document accepts the value. */
  valueComplaint(schema: object, value: unknown): string | null {
    const text = JSON.stringify(acceptedBy(schema)).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const validate = this.ajv.compile(JSON.parse(text) as object);
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  /** Null where a request that was answered with success is as the document says; else what is wrong with it. */
  requestComplaint(sent: SentRequest): string | null {
    const method = sent.method.toLowerCase();
    const template = this.templateOf(sent.path, method);
    const operation = template ? at(this.document.paths[template], method) : undefined;
    if (!template || !operation) return null;
    return this.requests.complaint(operation, `#/paths/${escaped(template)}/${method}`, sent);
  }

  /** A date is accepted in more forms than it is answered in. */
  private requestFaultOf(reference: string, value: unknown): string | null {
    const fault = this.faultOf(reference, value);
    return fault !== null && /^(data\S* must match format "date-time"(, )?)+$/.test(fault) ? null : fault;
  }

  private resolve(reference: string): JsonObject {
    return reference
      .slice(2)
      .split('/')
      .reduce<JsonObject>((node, key) => node[key] as JsonObject, this.document as unknown as JsonObject);
  }
}

const known = new Map<string, Documented>();

/** The same one for all spec files of a worker: it compiles a schema when it first meets it, which takes longer than most tests. */
export const documentedBy = (document: OpenAPIObject): Documented => {
  const text = JSON.stringify(document);
  const documented = known.get(text) ?? new Documented(document);
  known.set(text, documented);
  return documented;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const at = (node: unknown, key: string): JsonObject | undefined =>
  (node as Record<string, JsonObject | undefined> | undefined)?.[key];

const escaped = (segment: string): string => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
