import { createClient, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { writeRow } from './request.js';

/** The client has one deadline for all statements. It must be later than the deadline that each statement has of its own. */
const requestTimeoutMs = 2 * 3600 * 1000;

/** How much of an answer the server keeps in memory until the answer is complete. */
const bytesOfAnswer = 4 * 1024 ** 2;

interface Access {
  readonly database: string;
  readonly connections: number;
  /** Compress requests, for a network that is slower than the compression. */
  readonly compresses?: boolean;
}

/** The client of a server, which may be the embedded engine. */
export const httpClient = (url: URL, { database, connections, compresses = false }: Access): ClickHouseClient =>
  createClient({
    url: new URL('/', url),
    database,
    application: 'kohort',
    max_open_connections: connections,
    request_timeout: requestTimeoutMs,
    compression: { request: compresses },
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
    json: { stringify: writeRow },
    clickhouse_settings: {
      // An error is returned as a status instead of in the middle of rows, and a closed connection stops the question.
      wait_end_of_query: 1,
      // The rest of an answer waits in a file. If the disk is full, the server sends an empty answer, as if there were no rows.
      http_response_buffer_size: String(bytesOfAnswer),
      cancel_http_readonly_queries_on_client_close: 1,
    },
  });
