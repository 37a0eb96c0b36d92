import { Problem } from '../../platform/errors/problem.js';
import { type InsightType } from '../../analytics/kinds/insight-kinds.js';

/**
 * The parameters of the question that a node stands for, with the place in the node from which each one came. Our own routes
 * read the parameters; a refusal then names the place in the node.
 */
export class Translation {
  readonly params: Record<string, unknown> = {};
  /** The insight of the node; null for lists of events and persons. */
  insight: InsightType | null = null;
  /** The question whose persons the node lists; null for all persons. */
  source: Translation | null = null;
  /** The question in SQL that selects the persons, and its place in the node. */
  inSql: { readonly node: unknown; readonly attr: string } | null = null;
  /** Parts of the node that its answer must show, and that no parameter has. */
  readonly shown: Record<string, unknown> = {};

  constructor(
    private readonly places = new Map<string, string>(),
    private readonly base = '',
  ) {}

  set(name: string, value: unknown, attr: string): void {
    this.params[name] = value;
    this.note(name, attr);
  }

  note(name: string, attr: string): void {
    this.places.set(this.base + name, attr);
  }

  /** The translation of an object or an entry of a list that becomes the value of `name`. */
  inside(name: string): Translation {
    return new Translation(this.places, `${this.base}${name}.`);
  }

  /** The attr in the node of a refusal; `whole` if no part of the node became the parameter. */
  attrOf(attr: string, whole: string): string {
    for (let name = attr; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
      const place = this.places.get(name);
      if (place !== undefined) return place + attr.slice(name.length);
    }
    return whole;
  }

  /** Runs `work`; a refusal of a parameter becomes one of its place in the node, which is at `whole`. */
  async naming<T>(whole: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.attr === null || `${error.attr}.`.startsWith(`${whole}.`)) throw error;
      throw error.at(this.attrOf(error.attr, whole));
    }
  }
}
