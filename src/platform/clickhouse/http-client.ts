import { createClient, ClickHouseLogLevel, type ClickHouseClient } from '@clickhouse/client';
import { writeRow } from './request.js';

/** Each statement has its own deadline. The client has a single one for all, which must not be reached first. */
const requestTimeoutMs = 2 * 3600 * 1000;

/** Of an answer, kept in the memory of the server until it is complete. */
const bytesOfAnswer = 4 * 1024 ** 2;

interface Access {
  readonly database: string;
  readonly connections: number;
  /** True if the network is slower than the compression of what is sent. */
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
      // The rest waits in a file. When its disk is full, the server answers with nothing, as if there were no rows.
      http_response_buffer_size: String(bytesOfAnswer),
      cancel_http_readonly_queries_on_client_close: 1,
    },
  });
