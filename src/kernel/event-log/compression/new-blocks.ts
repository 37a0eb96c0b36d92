import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { bound, pgSql } from '../../../platform/postgres/sql.js';
import { type OffHeapText } from '../../../platform/values/off-heap-text.js';
import { toBody } from '../../projection/blocks/block-body.js';
import { eventsInBlock, inBlocks, largestBytes, leaveBlocks } from './compress-events.js';

interface NewEvent {
  readonly uuid: string;
  readonly properties: OffHeapText;
}

/** A block whose events are written in the same statement. */
export interface NewBlock {
  readonly id: string;
  readonly events: readonly NewEvent[];
  readonly body: Buffer;
}

/** Each compression takes 270 kB of memory while it runs. */
const bodiesAtOnce = 4;

/**
 * Makes blocks of the properties of events that arrive together; large ones stay in their rows. A row with properties would be
 * written a second time when they move to a block. Fewer events than a block should have wait for others in their rows.
 */
export const newBlocks = async (events: readonly NewEvent[]): Promise<readonly NewBlock[]> => {
  const small = events.filter(({ properties }) => properties.bytes <= largestBytes);
  if (small.length < eventsInBlock) return [];
  const parts = inBlocks(small, { bytesOf: ({ properties }) => properties.bytes });
  const blocks: NewBlock[] = [];
  for (let from = 0; from < parts.length; from += bodiesAtOnce)
    blocks.push(...(await Promise.all(parts.slice(from, from + bodiesAtOnce).map(toBlock))));
  return blocks;
};

const toBlock = async (events: readonly NewEvent[]): Promise<NewBlock> => ({
  id: uuidv7(),
  events,
  body: await toBody(events.map(({ uuid, properties }) => ({ uuid, properties: properties.toString() }))),
});

/** Call it when only some events were new: the log had the others, with their properties. */
export const leaveNewBlocks = async (
  client: ClientBase,
  projectId: number,
  blocks: readonly NewBlock[],
  added: ReadonlySet<string>,
): Promise<void> => {
  const isNew = ({ uuid }: NewEvent): boolean => added.has(uuid);
  const empty = blocks.filter(({ events }) => !events.some(isNew));
  const left = blocks.filter(({ events }) => events.some(isNew) && !events.every(isNew));
  if (empty.length > 0)
    await client.query(
      pgSql`DELETE FROM event_blocks
        WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(empty.map(({ id }) => id))}::uuid[])`.named(
        'event-blocks-unused',
      ),
    );
  await leaveBlocks(
    client,
    projectId,
    left.map(({ id }) => id),
  );
};
