import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/**
 * The official conformance suite, from the registry: it needs Node 22. Its other scenarios call tools, prompts and resources
 * that only a server made for the suite has, or concern logging, completion, sampling, elicitation and subscriptions, which
 * the service does not offer.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-error',
  'resources-list',
  'dns-rebinding-protection',
];
const program = [
  '--yes',
  '-p',
  'node@22.23.3',
  '-p',
  '@modelcontextprotocol/conformance@0.1.16',
  'conformance',
  'server',
];

let service: ServiceHandle;
let withKey: Server;

/** The suite sends no key, so this adds one and changes nothing else. */
beforeAll(async () => {
  service = await sharedService();
  const { hostname, port } = new URL(service.url);
  withKey = createServer((received, response) => {
    const { method, url: path } = received;
    const headers = { ...received.headers, authorization: `Bearer ${service.key}` };
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    received.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(withKey, 'listening');
});
afterAll(async () => {
  withKey.closeAllConnections();
  withKey.close();
  await service.stop();
});

it.each(scenarios)('passes the scenario %s of the conformance suite', async (scenario) => {
  const url = `http://localhost:${(withKey.address() as AddressInfo).port}/mcp`;
  const run = promisify(execFile)('npx', [...program, '--url', url, '--scenario', scenario], { cwd: tmpdir() });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  expect(stdout + stderr).toMatch(/Passed: (\d+)\/\1, 0 failed/);
});
