import { type ReceivedMessage } from './receiver.js';

interface PersonsMessage {
  readonly type: string;
  readonly data: { readonly persons: readonly { readonly id: number; readonly merged_into?: number }[] };
}

/** The persons that exist by what a receiver was told. Throws when that makes no sense: twice, too late, or out of order. */
export const personsTold = (messages: readonly ReceivedMessage[], batchSize: number): Set<number> => {
  const known = new Set<number>();
  for (const { text } of messages) {
    const { type, data } = JSON.parse(text) as PersonsMessage;
    if (data.persons.length === 0 || data.persons.length > batchSize) throw new Error(`a message of ${text}`);
    for (const { id, merged_into: into } of data.persons) {
      if (type === 'person.created') {
        if (known.has(id)) throw new Error(`${id} was created twice`);
        known.add(id);
      } else {
        if (!known.delete(id)) throw new Error(`${id} was ${type}, and was not known`);
        if ((type === 'person.merged') !== (into !== undefined)) throw new Error(text);
        if (into !== undefined && !known.has(into))
          throw new Error(`${id} was merged into ${into}, which was not known`);
      }
    }
  }
  return known;
};
