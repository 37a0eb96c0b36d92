import { NamedActions } from '../actions/action-lookup.js';
import { readJsonText } from '../../platform/values/json.js';
import { type Field, type Parameters } from '../../platform/fields/declaration.js';
import { readText } from '../../platform/fields/values.js';
import { type ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { admittedContextOf } from '../../kernel/access/access.js';
import { signalOfClient } from '../../platform/http/request-context.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { SharedWork } from '../../platform/work/shared-work.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Sql, compile } from '../../platform/clickhouse/sql.js';

type ParamValues = Readonly<Record<string, unknown>>;

type ContextOf<P> = P extends Field<unknown, infer Context> ? Context : never;

/** Reads one parameter of a declaration by its name. */
type Read<Declared extends Parameters> = <Name extends keyof Declared & string>(
  name: Name,
  ...context: ContextOf<Declared[Name]>
) => ReturnType<Declared[Name]['read']>;

/** The unchecked parameters of a question: texts of a query string, or values of a JSON body. */
export class Params {
  constructor(
    private readonly values: ParamValues,
    /** The actions that the question names. */
    readonly actions: NamedActions = new NamedActions(),
  ) {}

  /** Values of the body replace those of the query string. */
  static of(query: ParamValues, body: ParamValues = {}): Params {
    return new Params({ ...query, ...body });
  }

  /** Adds parameters; these replace others of the same name. */
  with(more: ParamValues): Params {
    return new Params({ ...this.values, ...more }, this.actions);
  }

  withActions(actions: NamedActions): Params {
    return new Params(this.values, actions);
  }

  has(name: string): boolean {
    const value = this.values[name];
    return value !== undefined && value !== null && value !== '';
  }

  /** The value as the client sent it. */
  raw(name: string): unknown {
    return this.values[name];
  }

  /** Reads parameters one by one, so that a parameter without a meaning in this question may have any value. */
  reader<const Declared extends Parameters>(declared: Declared): Read<Declared> {
    return (name, ...context) => {
      const parameter = declared[name] as unknown as Field<never, readonly unknown[]>;
      return parameter.read(parameter.json ? this.json(name) : this.text(name, parameter), name, ...context);
    };
  }

  private text(name: string, { respell }: Field<unknown, never>): string | undefined {
    if (!this.has(name)) return undefined;
    const text = readText(this.values[name], name);
    return respell ? respell(text) : text;
  }

  /** Reads a list or an object, or the JSON text of one; any other text stays a text. */
  private json(name: string): unknown {
    if (!this.has(name)) return undefined;
    const value = this.values[name];
    if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
    return readJsonText(value, name);
  }
}

/** A question for an insight. */
export interface AskedQuestion {
  readonly project: ProjectContext;
  readonly params: Params;
  readonly now: Date;
  /** Aborts when the client disconnects before the answer, so that its statements stop. */
  readonly signal: AbortSignal;
}

/** A request for an insight, by GET or POST. */
export interface QuestionRequest extends AskedQuestion {
  readonly request: Request;
  readonly response: Response;
}

export const Question = createParamDecorator((_: unknown, host: ExecutionContext): QuestionRequest => {
  const http = host.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  const { project, now } = admittedContextOf(request);
  if (project === null) throw new Error('a question needs a project: does the route require a key?');
  const fields: unknown = request.method === 'POST' ? request.body : {};
  const body = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  const signal = signalOfClient(response);
  return { project: { ...project, signal }, params: Params.of(request.query, body), now, signal, request, response };
});

/** The origin of a statement. Two statements with equal text, project and position share one answer. */
export interface QuestionOrigin {
  readonly projectId: number;
  /** The position of the projection at the time of the question: an answer from an earlier position would be stale. */
  readonly position: string;
  readonly signal: AbortSignal;
  /** For statements with expressions that the client wrote: the zone of times in texts, and the meaning of errors of the engine. */
  readonly written?: { readonly timezone: string; readonly problemOf: (error: unknown) => unknown };
}

/** Sends statements to ClickHouse. Equal statements in flight run once, and stop when no caller waits for the answer any longer. */
@Injectable()
export class Questions {
  private readonly work = new SharedWork();

  constructor(private readonly clickhouse: ClickHouse) {}

  async ask<T>({ projectId, position, signal, written }: QuestionOrigin, statement: Sql): Promise<T[]> {
    const zone = written && { timezone: written.timezone };
    try {
      return await this.work.share(statementKey(projectId, position, statement), signal, (stop) =>
        this.clickhouse.query<T>(statement, { project: { id: projectId }, signal: stop, ...zone }),
      );
    } catch (error) {
      throw written ? written.problemOf(error) : error;
    }
  }
}

/** Returns a text that is equal for two statements that have the same answer. */
export const statementKey = (projectId: number, position: string, statement: Sql): string => {
  const { query, query_params } = compile(statement);
  const values = JSON.stringify(query_params, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return `${projectId}\n${position}\n${query}\n${values}`;
};
