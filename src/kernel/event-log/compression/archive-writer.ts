import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer';
import { type BlockEvent } from '../../projection/blocks/block-body.js';

/** An event as the archive has it: whole, so that a file can be read without the database. */
export interface ArchivedEvent extends BlockEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: Date;
  readonly received_at: Date;
}

export interface WrittenArchive {
  readonly bytes: Uint8Array;
  readonly events: number;
  /** The digest of uuids and properties, in the order of the rows. */
  readonly content: string;
}

const columns = (events: readonly ArchivedEvent[]): ColumnSource[] => [
  { name: 'uuid', type: 'UUID', nullable: false, data: events.map(({ uuid }) => uuid) },
  { name: 'event', type: 'STRING', nullable: false, data: events.map(({ event }) => event) },
  { name: 'distinct_id', type: 'STRING', nullable: false, data: events.map(({ distinct_id }) => distinct_id) },
  { name: 'timestamp', type: 'TIMESTAMP', nullable: false, data: events.map(({ timestamp }) => timestamp) },
  { name: 'received_at', type: 'TIMESTAMP', nullable: false, data: events.map(({ received_at }) => received_at) },
  { name: 'properties', type: 'STRING', nullable: false, data: events.map(({ properties }) => properties) },
];

/** Writes a file of Parquet in memory. Compressing a part holds up the event loop, so parts are small. */
export class ArchiveWriter {
  private readonly buffer = new ByteWriter();
  private readonly content = contentDigest();
  private readonly parquet = new ParquetWriter({
    writer: this.buffer,
    schema: schemaFromColumnData({ columnData: columns([]) }),
    codec: 'GZIP',
    compressors: { GZIP: (bytes) => gzipSync(bytes, { level: 1 }) },
    statistics: false,
    createdBy: 'kohort',
  });
  private rows = 0;

  get events(): number {
    return this.rows;
  }

  /** Adds a part. It must consist of whole blocks. */
  async add(events: readonly ArchivedEvent[]): Promise<void> {
    await this.parquet.write({ columnData: columns(events), rowGroupSize: events.length });
    for (const event of events) this.content.add(event);
    this.rows += events.length;
  }

  async finish(): Promise<WrittenArchive> {
    await this.parquet.finish();
    return { bytes: this.buffer.getBytes(), events: this.rows, content: this.content.end() };
  }
}

interface ContentDigest {
  readonly add: (event: BlockEvent) => void;
  readonly end: () => string;
}

export const contentDigest = (): ContentDigest => {
  const hash = createHash('sha256');
  return {
    add: ({ uuid, properties }) => hash.update(`${uuid}${properties}\n`),
    end: () => hash.digest('hex'),
  };
};
