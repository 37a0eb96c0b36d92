import { randomUUID } from 'node:crypto';
import { type IdentityEvent } from '../../src/persons/identity/identity-event.js';

type Asked = Partial<Omit<IdentityEvent, 'person' | 'merge'>> & Partial<IdentityEvent['person']>;

const at = (time: string | Date | undefined): Date => (time === undefined ? moment('10:00') : new Date(time));

export const moment = (time: string): Date => new Date(`2025-03-01T${time}:00.000Z`);

export const event = (distinctId: string, asked: Asked = {}): IdentityEvent => {
  const { process = true, set = {}, setOnce = {}, unset = [], momentary = {} } = asked;
  return {
    uuid: asked.uuid ?? randomUUID(),
    event: asked.event ?? 'signed up',
    distinctId,
    timestamp: at(asked.timestamp),
    person: { process, set, setOnce, unset, momentary },
    merge: null,
    identifies: asked.identifies ?? false,
  };
};

export const merging = (
  kind: NonNullable<IdentityEvent['merge']>['kind'],
  distinctId: string,
  otherDistinctId: string,
  asked: Asked = {},
): IdentityEvent => ({
  ...event(distinctId, { event: `$${kind}`, identifies: kind === 'identify', ...asked }),
  merge: { kind, otherDistinctId },
});

export const identify = (distinctId: string, anonymous: string, asked: Asked = {}): IdentityEvent =>
  merging('identify', distinctId, anonymous, asked);
