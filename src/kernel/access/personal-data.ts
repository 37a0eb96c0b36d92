import { accessRulesOf } from './access.js';
import { type GrantedScope } from './scopes.js';

const declared = new WeakSet<object>();

/** The answer has data of persons, though the scopes of the route do not say so. */
export const PersonalData = (): MethodDecorator => (_target, _name, descriptor) => {
  declared.add(descriptor.value as object);
};

const areas = ['person:', 'event:', 'query:'];

const concernsPersons = (scope: GrantedScope): boolean => areas.some((area) => scope.startsWith(area));

/**
 * True if requests of the route count as such with personal data: those about persons or events, those in SQL, and marked
 * ones.
 */
export const hasPersonalData = (handler: object): boolean =>
  declared.has(handler) ||
  accessRulesOf(handler).some((rule) => rule.kind === 'key' && rule.scopes.some(concernsPersons));
