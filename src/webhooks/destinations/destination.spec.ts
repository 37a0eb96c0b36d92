import { describe, expect, it } from '@jest/globals';
import { Problem } from '../../platform/errors/problem.js';
import { credentialHeaders, type GivenSettings, readDestination } from './destination.js';

const read = (given: GivenSettings, before: ReturnType<typeof readDestination> | null = null) =>
  readDestination(given, before);

const refused = (given: GivenSettings, before: ReturnType<typeof readDestination> | null = null): string => {
  try {
    read(given, before);
  } catch (error) {
    if (error instanceof Problem) return error.attr ?? '';
    throw error;
  }
  return 'accepted';
};

const app = { app_id: 1, owner: 'ada@example.test' };
const basic = { user: 'key', password: 's:1' };

describe('the settings of a destination', () => {
  it('have defaults, and keep what a request leaves out', () => {
    const standard = { format: 'standard', identifier: null, properties: [], amplitude: null, credentials: null };
    expect(read({})).toEqual(standard);
    const made = read({ format: 'mixpanel', properties: ['plan'], credentials: basic });
    expect(made).toEqual({
      ...standard,
      ...{ format: 'mixpanel', identifier: 'distinct_id', properties: ['plan'], credentials: basic },
    });
    expect(read({}, made)).toEqual(made);
    expect(read({ credentials: 'basic', identifier: { property: 'crm' } }, made)).toEqual({
      ...made,
      identifier: { property: 'crm' },
    });
    expect(read({ credentials: null, properties: [] }, made)).toMatchObject({ credentials: null, properties: [] });
  });

  it.each<readonly [string, GivenSettings]>([
    ['identifier', { identifier: 'email' }],
    ['properties', { properties: ['plan'] }],
    ['amplitude', { amplitude: app }],
    ['amplitude', { format: 'segment', amplitude: app }],
    ['amplitude', { format: 'amplitude' }],
    ['amplitude', { format: 'amplitude', amplitude: { ...app, app_id: 0 } }],
    ['amplitude', { format: 'amplitude', amplitude: { app_id: 1 } }],
    ['properties', { format: 'amplitude', amplitude: app, properties: ['plan'] }],
    ['identifier', { format: 'segment', identifier: 'phone' }],
    ['identifier', { format: 'segment', identifier: { property: '' } }],
    ['identifier', { format: 'segment', identifier: { property: 'a', other: 1 } }],
    ['credentials', { format: 'segment', credentials: 'basic' }],
    ['credentials', { format: 'segment', credentials: { user: 'a:b', password: '' } }],
    ['credentials', { format: 'segment', credentials: { user: 'a' } }],
    ['credentials', { format: 'segment', credentials: { header: 'Host', value: 'x' } }],
    ['credentials', { format: 'segment', credentials: { header: 'webhook-id', value: 'x' } }],
    ['credentials', { format: 'segment', credentials: { header: 'Authorization', value: 'x\r\nHost: y' } }],
  ])('are refused at %s: %j', (attr, given) => expect(refused(given)).toBe(attr));

  it('have a format for good', () => expect(refused({ format: 'segment' }, read({}))).toBe('format'));

  it('never repeat credentials in a refusal', () => {
    const sentence = () => read({ format: 'segment', credentials: { header: 'Host', value: 'top-secret' } });
    expect(sentence).toThrow(Problem);
    expect(sentence).not.toThrow(/top-secret/);
  });
});

describe('credentials', () => {
  it('become a header', () => {
    expect(credentialHeaders(basic)).toEqual({ authorization: `Basic ${Buffer.from('key:s:1').toString('base64')}` });
    expect(credentialHeaders({ header: 'X-Api-Key', value: 't' })).toEqual({ 'x-api-key': 't' });
    expect(credentialHeaders(null)).toEqual({});
  });
});
