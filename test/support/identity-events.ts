import { randomUUID } from 'node:crypto';
import { type IdentityEvent } from '../../src/kernel/identity/identity-event.js';

type EventOptions = Partial<Omit<IdentityEvent, 'person' | 'merge'>> & Partial<IdentityEvent['person']>;

const at = (time: string | Date | undefined): Date => (time === undefined ? moment('10:00') : new Date(time));

export const moment = (time: string): Date => new Date(`2025-03-01T${time}:00.000Z`);

export const event = (distinctId: string, options: EventOptions = {}): IdentityEvent => {
  const { process = true, set = {}, setOnce = {}, unset = [], momentary = {} } = options;
  return {
    uuid: options.uuid ?? randomUUID(),
    event: options.event ?? 'signed up',
    distinctId,
    timestamp: at(options.timestamp),
    person: { process, set, setOnce, unset, momentary },
    merge: null,
    identifies: options.identifies ?? false,
  };
};

export const merging = (
  kind: NonNullable<IdentityEvent['merge']>['kind'],
  distinctId: string,
  otherDistinctId: string,
  options: EventOptions = {},
): IdentityEvent => ({
  ...event(distinctId, { event: `$${kind}`, identifies: kind === 'identify', ...options }),
  merge: { kind, otherDistinctId },
});

export const identify = (distinctId: string, anonymous: string, options: EventOptions = {}): IdentityEvent =>
  merging('identify', distinctId, anonymous, options);
