import { accessRulesOf } from './access.js';
import { type GrantedScope } from './scopes.js';

const declared = new WeakSet<object>();

/** Marks a route whose answer has data of persons although its scopes do not say so. */
export const PersonalData = (): MethodDecorator => (_target, _name, descriptor) => {
  declared.add(descriptor.value as object);
};

const areas = ['person:', 'group:', 'event:', 'query:'];

const concernsPersons = (scope: GrantedScope): boolean => areas.some((area) => scope.startsWith(area));

/**
 * True if requests of the route count as requests with personal data: routes about persons, groups or events, routes for SQL, and
 * routes marked with `PersonalData`.
 */
export const hasPersonalData = (handler: object): boolean =>
  declared.has(handler) ||
  accessRulesOf(handler).some((rule) => rule.kind === 'key' && rule.scopes.some(concernsPersons));
