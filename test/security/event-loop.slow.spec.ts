import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { costlyRequests } from '../fuzz/costly-requests.js';
import { EventLoopBudget } from '../fuzz/event-loop-budget.js';
import { growsFaster, placesOf, type Grown } from '../fuzz/growth.js';
import { holdLimitMs } from '../fuzz/holds.js';
import { MeasuredService } from '../fuzz/measured-service.js';
import { operationsOf } from '../fuzz/operations.js';
import { makeScene, Upkeep, type Scene } from '../fuzz/scene.js';
import { Caller } from '../fuzz/caller.js';

/** EVERY_PLACE=1 fills every place of every request with everything; else every so many-th, with large amounts only. */
const all = process.env.EVERY_PLACE === '1';
const nth = Number(process.env.NTH_PLACE ?? (all ? 1 : 199));
/** All places take hours, so each part of them has a time of its own and is reported. */
const parts = all ? 50 : 1;

let service: MeasuredService;
let scene: Scene;
let budget: EventLoopBudget;
let places: readonly Grown[];

beforeAll(async () => {
  service = await MeasuredService.start(5);
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  scene = await makeScene(service.url, service.bootstrap.personal_api_key);
  await new Upkeep(new Caller(service.url, service.bootstrap.personal_api_key), scene).run();
  budget = new EventLoopBudget(service, scene.keys.full);
  places = placesOf(operationsOf(document), scene).filter((_, n) => n % nth === 0);
});
afterAll(() => service.stop(), 60_000);

describe('the event loop', () => {
  it.each(costlyRequests.map((request) => [request.name, request] as const))(
    `is not held for more than ${holdLimitMs} ms by %s`,
    async (_, request) => {
      const spent = await budget.spentOn(request, scene);
      expect({ ...spent, withinLimit: spent.longestMs <= holdLimitMs }).toMatchObject({
        withinLimit: true,
        status: expect.stringMatching(request.statuses) as unknown,
      });
    },
    300_000,
  );

  const numbers = Array.from({ length: parts }, (_, part) => part);
  it.each(numbers)(
    'is not held by any place, whatever it is filled with, and cost grows no faster than the input: part %i',
    async (part) => {
      const complaints: string[] = [];
      const [first, end] = [part, part + 1].map((at) => Math.floor((at * places.length) / parts));
      for (const place of places.slice(first, end)) {
        const { steps, longestMs, longestAt } = await budget.grow(place, all);
        if (longestMs > holdLimitMs)
          complaints.push(`${place.name}: ${Math.round(longestMs)} ms at ${longestAt} bytes`);
        const faster = growsFaster(steps);
        if (faster) complaints.push(`${place.name} grows faster than its input: ${faster}`);
      }
      expect(complaints).toEqual([]);
    },
    3_600_000,
  );
});

describe('the measure of growth', () => {
  it('takes twice the cost for twice the input as it is, and notices four times', () => {
    const steps = (...costs: number[]) => costs.map((cpuMs, n) => ({ bytes: 2 ** n, cpuMs }));
    expect(growsFaster(steps(12, 25, 48, 100))).toBeNull();
    expect(growsFaster(steps(1, 4, 9, 9))).toBeNull();
    expect(growsFaster(steps(11, 44, 60, 240))).toBeNull();
    const fourfold = [20, 80, 330].map((cpuMs, n) => ({ bytes: 4 ** n, cpuMs }));
    expect(growsFaster(fourfold)).toBeNull();
    expect(growsFaster(steps(11, 44, 180))).toBe('1 bytes 11 ms, 2 bytes 44 ms, 4 bytes 180 ms');
  });
});
