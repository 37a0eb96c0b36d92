import { loadModule, parseSync } from 'libpg-query';

/** A node of the parser's tree: one key with the kind, or the fields of it. */
type Node = Readonly<Record<string, unknown>>;

/** What stands for a value of the caller among the columns that are equal to each other. */
const value = 'a value';

interface Scope {
  /** The key of the column `project_id` of each relation, by the name that the scope gives the relation. */
  readonly relations: Map<string, string>;
  /** The keys that the common table expressions give for their columns, by name. */
  readonly ctes: Map<string, Columns>;
  readonly outer: Scope | null;
}

/** The keys of the columns that a select or a RETURNING has, in their order; null for a column that is no `project_id`. */
type Columns = readonly (string | null)[];

export interface ProjectsOf {
  /**
   * The tables of projects that the statement reads or changes without `project_id` being equal to a value, or to the
   * `project_id` of another of its tables for which that holds. Such a statement goes to all nodes of Citus.
   */
  readonly unbound: readonly string[];
  /** True if it compares some `project_id` with a value. */
  readonly namesProject: boolean;
}

export const projectsOf = async (text: string, isOfProjects: (table: string) => boolean): Promise<ProjectsOf> => {
  await loadModule();
  const { stmts } = parseSync(text) as { stmts: { stmt: Node }[] };
  const reader = new StatementReader(isOfProjects);
  for (const { stmt } of stmts) reader.read(stmt);
  return reader;
};

class StatementReader implements ProjectsOf {
  namesProject = false;
  private readonly parents = new Map<string, string>();
  private readonly tables = new Map<string, string>();
  private count = 0;

  constructor(private readonly isOfProjects: (table: string) => boolean) {}

  read(statement: Node): void {
    this.statement(statement, null);
  }

  get unbound(): string[] {
    return [...this.tables].filter(([key]) => this.root(key) !== this.root(value)).map(([, table]) => table);
  }

  private statement(node: Node, outer: Scope | null): Columns {
    const [[kind, raw] = ['', {}]] = Object.entries(node);
    const fields = raw as Node;
    const scope: Scope = { relations: new Map(), ctes: new Map(outer?.ctes), outer };
    for (const cte of list(child(fields, 'withClause')?.ctes)) {
      const { ctename, ctequery } = child(cte, 'CommonTableExpr') as { ctename: string; ctequery: Node };
      scope.ctes.set(ctename, this.statement(ctequery, scope));
    }
    if (kind === 'SelectStmt') return this.select(fields, scope);
    if (kind === 'InsertStmt') return this.insert(fields, scope);
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return this.change(fields, scope);
    this.expressions(fields, scope);
    return [];
  }

  private select(fields: Node, scope: Scope): Columns {
    if (fields.op !== undefined && fields.op !== 'SETOP_NONE') {
      const [left = []] = ['larg', 'rarg'].map((side) => this.statement({ SelectStmt: fields[side] }, scope));
      return left;
    }
    for (const item of list(fields.fromClause)) this.from(item, scope);
    this.condition(fields.whereClause as Node | undefined, scope);
    for (const name of [
      'targetList',
      'groupClause',
      'havingClause',
      'sortClause',
      'valuesLists',
      'limitCount',
      'limitOffset',
    ])
      this.expressions(fields[name], scope);
    return this.columns(fields.targetList, scope);
  }

  private insert(fields: Node, scope: Scope): Columns {
    const { relname } = fields.relation as { relname: string };
    const names = list(fields.cols).map((column) => (child(column, 'ResTarget') as { name: string }).name);
    const key = this.table(relname);
    scope.relations.set(aliasOf(fields.relation as Node) ?? relname, key);
    // The row says of which project it is.
    if (names.length === 0 || names.includes('project_id')) this.unite(key, value);
    if (fields.selectStmt) this.statement(fields.selectStmt as Node, scope);
    this.expressions(fields.onConflictClause, scope);
    return this.columns(returned(fields), scope);
  }

  private change(fields: Node, scope: Scope): Columns {
    this.from({ RangeVar: fields.relation }, scope);
    for (const item of [...list(fields.fromClause), ...list(fields.usingClause)]) this.from(item, scope);
    this.condition(fields.whereClause as Node | undefined, scope);
    this.expressions(fields.targetList, scope);
    this.expressions(returned(fields), scope);
    return this.columns(returned(fields), scope);
  }

  private from(item: Node, scope: Scope): void {
    const [[kind, raw] = ['', {}]] = Object.entries(item);
    const fields = raw as Node;
    if (kind === 'JoinExpr') this.join(fields, scope);
    else if (kind === 'RangeVar') {
      const name = fields.relname as string;
      const cte = scope.ctes.get(name);
      scope.relations.set(aliasOf(fields) ?? name, cte ? this.derived(cte) : this.table(name));
    } else if (kind === 'RangeSubselect') {
      const columns = this.statement(fields.subquery as Node, scope);
      scope.relations.set(aliasOf(fields) ?? '', this.derived(columns));
    } else {
      scope.relations.set(aliasOf(fields) ?? `#${scope.relations.size}`, this.key());
      this.expressions(fields, scope);
    }
  }

  private join(fields: Node, scope: Scope): void {
    const before = new Set(scope.relations.values());
    this.from(fields.larg as Node, scope);
    const left = [...scope.relations.values()].filter((key) => !before.has(key));
    this.from(fields.rarg as Node, scope);
    const right = [...scope.relations.values()].filter((key) => !before.has(key) && !left.includes(key));
    const shared = list(fields.usingClause).map((name) => (child(name, 'String') as { sval: string }).sval);
    // The first relation on each side has it in every statement of ours.
    if (shared.includes('project_id') && left[0] && right[0]) this.unite(left[0], right[0]);
    this.condition(fields.quals as Node | undefined, scope);
  }

  /** What holds for every row of the result: the parts of AND. */
  private condition(node: Node | undefined, scope: Scope): void {
    if (!node) return;
    const bool = child(node, 'BoolExpr');
    if (bool?.boolop === 'AND_EXPR') for (const part of list(bool.args)) this.condition(part, scope);
    else {
      this.equality(node, scope);
      this.expressions(node, scope);
    }
  }

  private equality(node: Node, scope: Scope): void {
    const expression = child(node, 'A_Expr');
    if (expression?.kind !== 'AEXPR_OP' || operatorOf(expression) !== '=') return;
    const [left, right] = [parts(expression.lexpr), parts(expression.rexpr)];
    left.forEach((each, at) => {
      const keys = [this.keyOf(each, scope), this.keyOf(right[at], scope)] as const;
      if (!keys[0] || !keys[1]) return;
      this.namesProject ||= keys.includes(value) && keys[0] !== keys[1];
      this.unite(keys[0], keys[1]);
    });
  }

  /** Every select within an expression. */
  private expressions(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const each of node) this.expressions(each, scope);
    else if (typeof node === 'object' && node !== null) {
      const fields = node as Node;
      const link = child(fields, 'SubLink');
      if (link) this.subselect(link, scope);
      else if ('SelectStmt' in fields) this.statement(fields, scope);
      else for (const each of Object.values(fields)) this.expressions(each, scope);
    }
  }

  private subselect(link: Node, scope: Scope): void {
    const columns = this.statement(link.subselect as Node, scope);
    const isIn = link.subLinkType === 'ANY_SUBLINK' && !link.operName;
    if (isIn)
      parts(link.testexpr).forEach((each, at) => {
        const [key, column] = [this.keyOf(each, scope), columns[at]];
        if (key && column) this.unite(key, column);
      });
    this.expressions(link.testexpr, scope);
  }

  private keyOf(node: Node | undefined, scope: Scope): string | null {
    if (!node) return null;
    const cast = child(node, 'TypeCast');
    if (cast) return this.keyOf(cast.arg as Node, scope);
    if ('ParamRef' in node || 'A_Const' in node || 'SubLink' in node) return value;
    const column = child(node, 'ColumnRef');
    return column ? this.keyOfColumn(namesOf(column), scope) : null;
  }

  private keyOfColumn(names: readonly string[], scope: Scope | null): string | null {
    if (names.at(-1) !== 'project_id' || !scope) return null;
    const relation = names.length > 1 ? scope.relations.get(names[0] ?? '') : [...scope.relations.values()][0];
    return relation ?? this.keyOfColumn(names, scope.outer);
  }

  private columns(targets: unknown, scope: Scope): Columns {
    return list(targets).flatMap((target) => {
      const { val, name } = child(target, 'ResTarget') as { val: Node; name?: string };
      const column = child(val, 'ColumnRef');
      if (column && namesOf(column).at(-1) === '*') return [...scope.relations.values()];
      if (column) return [this.keyOfColumn(namesOf(column), scope)];
      return [name === 'project_id' ? this.keyOf(val, scope) : null];
    });
  }

  private derived(columns: Columns): string {
    const key = this.key();
    const known = columns.find((column) => column !== null);
    if (known) this.unite(key, known);
    return key;
  }

  private table(name: string): string {
    const key = this.key();
    if (this.isOfProjects(name)) this.tables.set(key, name);
    return key;
  }

  private key(): string {
    this.count += 1;
    return `relation ${this.count}`;
  }

  private root(key: string): string {
    const parent = this.parents.get(key);
    return parent === undefined ? key : this.root(parent);
  }

  private unite(one: string, other: string): void {
    const [a, b] = [this.root(one), this.root(other)];
    if (a !== b) this.parents.set(a, b);
  }
}

const list = (nodes: unknown): Node[] => (Array.isArray(nodes) ? (nodes as Node[]) : []);
const child = (node: Node, kind: string): Node | undefined => node[kind] as Node | undefined;
const returned = (fields: Node): unknown => child(fields, 'returningClause')?.exprs;
const aliasOf = (relation: Node): string | undefined =>
  (relation.alias as { aliasname?: string } | undefined)?.aliasname;
const operatorOf = (expression: Node): string | undefined =>
  list(expression.name).map((name) => (child(name, 'String') as { sval: string }).sval)[0];

/** The elements of a row, or the expression itself. */
const parts = (node: unknown): Node[] => {
  if (!node) return [];
  const row = child(node as Node, 'RowExpr');
  return row ? list(row.args) : [node as Node];
};

const namesOf = (column: Node): string[] =>
  list(column.fields).map((field) => (child(field, 'String') as { sval: string } | undefined)?.sval ?? '*');
