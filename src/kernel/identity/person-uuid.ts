import { nameUuid } from '../../platform/values/name-uuid.js';

/** Never change this constant: the uuids of all persons derive from it. */
const namespace = Buffer.from('5d0c1f3e8a7b4c629e45b1d27f0a9c86', 'hex');

/** A version 5 uuid of project and distinct id: an id that returns after its person was deleted gets the same person uuid. */
export const personUuid = (projectId: number, distinctId: string): string =>
  nameUuid(namespace, `${projectId}:${distinctId}`);
