import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchExportWorker } from '../../src/exports/batch/batch-export-worker.js';
import { guardedFetch } from '../../src/platform/http/guarded-fetch.js';
import { PrivateReceiver } from '../../src/platform/http/resolve.js';
import { BucketServer } from '../support/bucket-server.js';
import { startTestService, type TestService } from '../support/service.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

let service: TestService;
let bucket: BucketServer;

beforeAll(async () => {
  service = await startTestService();
  bucket = await BucketServer.start();
});
afterAll(async () => {
  await service.stop();
  await bucket.stop();
});

describe('the bucket of a batch export', () => {
  it('must have a public address', async () => {
    const of = new WebhooksOf(service, (await service.newProject()).id);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1', '0x7f000001', '2130706433']) {
      const destination = bucket.destination('k');
      const config = { ...destination.config, endpoint_url: `http://${host}:9000` };
      const answer = await of.call('POST', 'batch_exports', {
        body: { name: 'W', destination: { ...destination, config } },
      });
      expect([host, answer.status, (answer.body as { attr: string }).attr]).toEqual([
        host,
        400,
        'destination.config.endpoint_url',
      ]);
    }
  });

  it('is not called where its name leads to a private address, or a redirect to another server', async () => {
    await service.app.get(BatchExportWorker).worker.stop();
    const named = (...addresses: string[]) => ({ resolve: () => Promise.resolve(addresses), allowPrivate: false });
    const { port } = new URL(bucket.url);
    const request = () => new Request(`http://bucket.test:${port}/warehouse/x`, { method: 'PUT', body: 'x' });
    await expect(guardedFetch(named('127.0.0.1'))(request())).rejects.toThrow(PrivateReceiver);
    await expect(guardedFetch(named('8.8.8.8', '127.0.0.1'))(request())).rejects.toThrow(PrivateReceiver);
    expect(bucket.writes).toEqual([]);
    bucket.onPut = () => 302;
    const answer = await guardedFetch({ resolve: () => Promise.resolve(['127.0.0.1']), allowPrivate: true })(request());
    expect([answer.status, answer.redirected, bucket.writes]).toEqual([302, false, []]);
  });
});
