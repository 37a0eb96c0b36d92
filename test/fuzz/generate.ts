import { finished, type Draft, type FuzzRequest } from './draft.js';
import { bodyFaults } from './faults/body.js';
import { type Fault } from './faults/fault.js';
import { queryFaults } from './faults/query.js';
import { requestFaults } from './faults/request.js';
import { type Operation } from './operations.js';
import { Random, Weighted } from './random.js';
import { rawRequest, undocumentedPath } from './raw.js';
import { type Scene } from './scene.js';
import { validDraft } from './valid.js';

const validShare = 0.3;
const rawShare = 0.01;
const undocumentedShare = 0.02;

/** Request number n of a seed is always the same, but for ids of records that the scene made anew. */
export class Generator {
  private readonly operations: Weighted<Operation>;
  private readonly faults: Weighted<Fault>;

  constructor(
    private readonly seed: number,
    operations: readonly Operation[],
    private readonly scene: Scene,
  ) {
    this.operations = new Weighted(operations.map((operation) => [operation.weight, operation] as const));
    this.faults = new Weighted([...queryFaults, ...bodyFaults, ...requestFaults]);
  }

  request(index: number): FuzzRequest {
    const random = new Random(this.seed, index);
    const draft = validDraft(this.operations.pick(random), random, this.scene);
    if (random.chance(undocumentedShare)) draft.path = undocumentedPath(random);
    if (!random.chance(validShare)) this.addFaults(draft, random);
    // A reader of raw bytes cannot tell the end of an answer that a method other than these has.
    if (random.chance(rawShare) && draft.method !== 'HEAD') return rawRequest(draft, index, random);
    return finished(draft, index);
  }

  /** One to three; those that find no place in this request make way for others. */
  private addFaults(draft: Draft, random: Random): void {
    const count = random.integer(1, 3);
    for (let tries = 0; tries < 12 && draft.faults.length < count; tries++) {
      const fault = this.faults.pick(random);
      if (fault.apply(draft, random, this.scene)) draft.faults.push(fault.name);
    }
  }
}
