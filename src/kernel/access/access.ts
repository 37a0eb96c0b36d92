import { type GrantedScope } from './scopes.js';

/** The callers that a route admits. Each route has exactly one rule; the guard refuses a route without one. */
export type AccessRule =
  /** Counted against the limit of the remote address, except health checks. */
  | { readonly kind: 'public'; readonly isHealthCheck: boolean }
  /** A project's public token inside the payload, which capture checks once the payload is decoded. */
  | { readonly kind: 'project_token' }
  /**
   * A personal API key or a session that has all of these scopes; an empty list accepts any that is valid. `*` is for what
   * concerns the whole installation.
   */
  | { readonly kind: 'key'; readonly scopes: readonly GrantedScope[]; readonly onlySessions: boolean };

const rules = new WeakMap<object, AccessRule[]>();

/** Returns a list, so that a test can detect a route with two rules. */
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
export const RequiresScope = (...scopes: readonly GrantedScope[]): MethodDecorator =>
  declare({ kind: 'key', scopes, onlySessions: false });
/** The route concerns the signed-in user, so an API key does not open it. */
export const RequiresSession = (): MethodDecorator => declare({ kind: 'key', scopes: [], onlySessions: true });
