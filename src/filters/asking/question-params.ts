import { NamedActions } from '../actions/named-actions.js';
import { readJsonText } from '../../platform/values/read-json.js';
import { type Field, type Parameters } from '../../platform/fields/declaration.js';
import { readText } from '../../platform/fields/values.js';

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

  /** Values of `more` replace the others. */
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

  /** A list or an object, or its JSON text; any other text stays a text. */
  private json(name: string): unknown {
    if (!this.has(name)) return undefined;
    const value = this.values[name];
    if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
    return readJsonText(value, name);
  }
}
