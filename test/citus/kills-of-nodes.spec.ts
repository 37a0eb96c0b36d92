import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { topology, useTopology } from '../../src/platform/postgres/topology.js';
import { CitusNodes, hasCitus, type CitusNode } from '../support/citus-nodes.js';
import { noDifferences } from '../support/crash/compare-stores.js';
import { Processes } from '../support/crash/processes.js';
import { pick, type Writers } from '../support/crash/writers.js';
import { cli, removeDir, tempDir } from '../support/process.js';

const kills = Number(process.env.NODE_KILLS ?? 4);
const events = Number(process.env.CRASH_EVENTS ?? 4000);
/** From the moment at which the node answers again, on a machine that other specs keep busy; alone, about a second. */
const longestMs = 10_000;

interface Project {
  readonly id: number;
  readonly api_token: string;
  readonly node: CitusNode;
}

/** Asks questions of a project again and again, and remembers what is answered otherwise than with 200 or 503. */
class Questions {
  readonly faults = new Set<string>();
  answered = 0;
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly all: Processes,
    private readonly project: Project,
  ) {
    this.running = this.go();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async go(): Promise<void> {
    const trends = `persons/trends?include=insight&events=${encodeURIComponent('[{"id":"seen"}]')}`;
    for (let n = 0; !this.isStopped; n += 1) {
      const path = ['persons?limit=5', trends, 'cohorts'][n % 3] ?? '';
      const headers = { authorization: `Bearer ${this.all.made.personal_api_key}` };
      const url = `${this.all.anyApi()}/api/projects/${this.project.id}/${path}`;
      const answer = await fetch(url, { headers });
      const text = await answer.text();
      if (answer.status === 200) this.answered += 1;
      else if (answer.status !== 503) this.faults.add(`${path}: ${answer.status} ${text}`);
      await sleep(100);
    }
  }
}

(hasCitus() ? describe : describe.skip)('nodes of Citus that are killed under load', () => {
  let nodes: CitusNodes;
  let all: Processes;
  const usual = topology();
  // A comparison of the stores opens them in this process.
  const ends: (() => Promise<void> | void)[] = [() => useTopology(usual)];
  /** On both workers. */
  const projects: Project[] = [];
  const acknowledged = new Map<number, Set<string>>();

  beforeAll(async () => {
    const dir = await tempDir();
    ends.push(() => removeDir(dir));
    nodes = await CitusNodes.start();
    ends.push(() => nodes.stop());
    const placed = await cli({ DATABASE_URL: nodes.coordinator.url }, 'citus', 'distribute', '--json');
    if (placed.code !== 0) throw new Error(placed.stderr);
    all = await Processes.start(dir, nodes.coordinator.url, { ALLOW_UNSAFE_DATABASE: '1' });
    ends.push(() => all.end());
    while (projects.length < 4 || new Set(projects.map(({ node }) => node)).size < 2) {
      const { id, api_token } = await all.newProject(`Project ${projects.length}`);
      projects.push({ id, api_token, node: await nodes.nodeOf(id) });
      acknowledged.set(id, new Set());
    }
  }, 180_000);
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  const write = (project: Project): Writers => all.writers(events / projects.length, project.api_token, 2);

  const stop = async (writers: ReadonlyMap<Project, Writers>): Promise<void> => {
    await Promise.all([...writers.values()].map((each) => each.stop()));
    for (const [{ id }, { acknowledged: uuids }] of writers) for (const uuid of uuids) acknowledged.get(id)?.add(uuid);
  };

  /** Returns the milliseconds until an event is taken for each project. */
  const untilAllCapture = async (): Promise<number> => {
    const begun = performance.now();
    for (const { id, api_token } of projects) {
      // The same event each time: one that was refused may be in the log.
      const uuid = crypto.randomUUID();
      for (;;) {
        const batch = [{ uuid, event: 'seen', distinct_id: 'ada' }];
        const body = JSON.stringify({ api_key: api_token, batch });
        const answer = await fetch(`${all.anyApi()}/batch`, { method: 'POST', body });
        if (answer.status === 200) acknowledged.get(id)?.add(uuid);
        if (answer.status === 200) break;
        if (performance.now() - begun > 60_000) throw new Error(`${answer.status} ${await answer.text()}`);
        await sleep(50);
      }
    }
    return performance.now() - begun;
  };

  it('leave the projects of the other nodes alone', async () => {
    const writers = new Map(projects.map((project) => [project, write(project)]));
    await sleep(1_000);
    const [away] = nodes.workers;
    const before = new Map(
      [...writers].map(
        ([
          project,
          {
            acknowledged: { size },
          },
        ]) => [project, size],
      ),
    );
    await away.kill();
    await sleep(3_000);
    const grown = [...writers].map(
      ([
        project,
        {
          acknowledged: { size },
        },
      ]) => ({
        isAway: project.node === away,
        grows: size > (before.get(project) ?? 0) + 50,
      }),
    );
    await away.start();
    await stop(writers);
    expect(grown.filter(({ isAway, grows }) => isAway === grows)).toEqual([]);
    for (const [{ node }, { faults, refusals }] of writers) {
      expect([...faults]).toEqual([]);
      if (node !== away) expect([...refusals]).toEqual([]);
    }
  });

  it(`lose and double nothing in ${kills} kills and pauses, refuse with 503, and are used again within ${longestMs} ms`, async () => {
    const writers = new Map(projects.map((project) => [project, write(project)]));
    const questions = projects.map((project) => new Questions(all, project));
    const waits: number[] = [];
    for (let n = 0; n < kills; n += 1) {
      await sleep(500 + pick(1_500));
      const node = nodes.all[n % nodes.all.length] as CitusNode;
      const isKilled = n % 2 === 0;
      if (isKilled) await node.kill();
      else node.pause();
      await sleep(1_000 + pick(2_000));
      if (isKilled) await node.start();
      else node.resume();
      waits.push(await untilAllCapture());
    }
    await stop(writers);
    await Promise.all(questions.map((each) => each.stop()));
    const refused = [...writers.values()].reduce((sum, each) => sum + each.refused, 0);
    console.log(
      `${[...acknowledged.values()].reduce((sum, { size }) => sum + size, 0)} acknowledged events of ${projects.length} projects, ` +
        `${kills} kills and pauses, ${refused} requests refused and sent again, used again after at most ${Math.round(Math.max(...waits))} ms`,
    );
    expect([...writers.values()].flatMap(({ faults }) => [...faults])).toEqual([]);
    expect(questions.flatMap(({ faults }) => [...faults])).toEqual([]);
    expect(await all.differencesOf(acknowledged)).toEqual(projects.map(() => noDifferences));
    expect(Math.max(...waits)).toBeLessThan(longestMs);
  }, 3_600_000);
});
