import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Readable } from 'node:stream';
import { ActiveProjects } from '../platform/work/active-projects.js';
import { unavailable } from '../platform/errors/problem.js';
import { asFile, sendStream } from '../platform/http/send-stream.js';
import { countRows } from '../platform/http/compression.js';
import { linkTo } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { timeBound } from '../platform/fields/time-bound.js';
import { duringExport } from '../platform/work/export-permits.js';
import { Projection } from '../kernel/projection/projection.js';
import { ClickHouse } from '../platform/clickhouse/client.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { withFirstChunk, type Chunk, type Walk } from './files/chunk.js';
import { type ExportEventsQuery, type ExportGroupsQuery, type ExportPersonsQuery } from './export.query.js';
import { type ExportFormat } from './files/formats.js';
import { exportKinds, type ExportKind } from './kinds.js';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

type ExportQuery = ExportEventsQuery | ExportPersonsQuery | ExportGroupsQuery;

/** Sends all events, persons or groups of a project. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly active: ActiveProjects,
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    kind: ExportKind,
    query: ExportQuery,
    now: Date,
  ): Promise<void> {
    const { format } = query;
    const walk = walkOf(project, query, now);
    await duringExport(project, async () => {
      if (format !== 'ndjson') await this.assertFresh(project, now);
      response.set('Content-Disposition', asFile(`${kind}.${format}`));
      if (format === 'parquet') return this.sendFile(request, response, project, kind, walk);
      const chunks = await withFirstChunk(this.chunksOf(project, kind, walk, format));
      response.status(200).set('Content-Type', contentTypes[format]);
      await sendStream(response, this.active.pace(project.id).each(bytesOf(response, chunks)));
    });
  }

  /**
   * Sends one Parquet file and a link to the next. A Parquet file is valid only when it is complete, so a large export consists
   * of several files.
   */
  private async sendFile(
    request: Request,
    response: Response,
    project: ProjectContext,
    kind: ExportKind,
    walk: Walk,
  ): Promise<void> {
    // There is always a first file; it is empty when nothing is exported.
    const { value: file } = (await this.chunksOf(project, kind, walk, 'parquet').next()) as IteratorYieldResult<Chunk>;
    const { bytes, records, last, hasMore } = file;
    if (hasMore && last !== null) response.set('Link', `<${linkTo(request, { cursor: last })}>; rel="next"`);
    response.status(200).set('Content-Type', contentTypes.parquet);
    countRows(response, records);
    await sendStream(response, Readable.from([bytes]));
  }

  /** Refuses an export while ClickHouse lacks the latest data, because a file has no `as_of` to say so. */
  private async assertFresh(project: ProjectContext, now: Date): Promise<void> {
    const { complete } = await this.projection.waitUntilFresh(project.id, now);
    if (!complete) {
      throw unavailable('ClickHouse does not have the latest data yet: try again later, or use format=ndjson', 10);
    }
  }

  private chunksOf(
    project: ProjectContext,
    kind: ExportKind,
    walk: Walk,
    format: ExportQuery['format'],
  ): AsyncGenerator<Chunk> {
    const { lines, table, mostOfParquet } = exportKinds[kind];
    if (format === 'ndjson') return lines(this.postgres, walk);
    const limit = format === 'parquet' ? Math.min(walk.limit ?? mostOfParquet, mostOfParquet) : walk.limit;
    return table({ postgres: this.postgres, clickhouse: this.clickhouse }, project, { ...walk, limit }, format);
  }
}

const walkOf = (project: ProjectContext, { after, before, cursor, limit }: ExportQuery, now: Date): Walk => ({
  projectId: project.id,
  after: timeBound(after, 'after', now, project),
  before: timeBound(before, 'before', now, project),
  cursor: cursor ?? null,
  limit: limit ?? null,
});

async function* bytesOf(response: Response, chunks: AsyncIterable<Chunk>): AsyncGenerator<string | Uint8Array> {
  for await (const { bytes, records } of chunks) {
    countRows(response, records);
    yield bytes;
  }
}
