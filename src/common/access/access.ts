import { type Scope } from './scopes.js';

/** Who may call a route. Exactly one rule stands on each; the guard refuses a route without. */
export type AccessRule =
  /** Counted against the limit of the remote address, except health checks. */
  | { readonly kind: 'public'; readonly isHealthCheck: boolean }
  /** A project's public token inside the payload, checked by capture once the payload is decoded. */
  | { readonly kind: 'project_token' }
  /** A personal API key that holds all of these scopes; with none named, any valid key. */
  | { readonly kind: 'key'; readonly scopes: readonly Scope[] };

const rules = new WeakMap<object, AccessRule[]>();

/** A list, so that a test can see a route that was given two rules. */
export const accessRulesOf = (handler: object): readonly AccessRule[] => rules.get(handler) ?? [];

const declare =
  (rule: AccessRule): MethodDecorator =>
  (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    rules.set(handler, [...accessRulesOf(handler), rule]);
  };

export const Public = (): MethodDecorator => declare({ kind: 'public', isHealthCheck: false });
export const HealthCheck = (): MethodDecorator => declare({ kind: 'public', isHealthCheck: true });
export const ProjectToken = (): MethodDecorator => declare({ kind: 'project_token' });
export const RequiresScope = (...scopes: readonly Scope[]): MethodDecorator => declare({ kind: 'key', scopes });
