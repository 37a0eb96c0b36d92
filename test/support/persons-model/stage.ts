import { expect } from '@jest/globals';
import { type Random } from '../../../src/app/demo/random.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { walk } from '../insights/walk.js';
import { PersonsOf } from '../persons.js';
import { type ServiceHandle } from '../service-handle.js';
import { PersonsModel } from './persons-model.js';

/** A project, and what ought to be in it. */
export interface Side {
  readonly people: PersonsOf;
  readonly model: PersonsModel;
  readonly token: string;
  /** The last request with events, to be sent again. */
  sent: readonly object[];
}

/** What a step works on: one of two projects that live in the same service and know the same distinct ids. */
export interface Stage {
  readonly service: ServiceHandle;
  readonly random: Random;
  readonly side: Side;
  readonly other: Side;
}

export type Step = (stage: Stage) => Promise<void>;

export interface PersonPage {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly PersonDto[];
}

export const openSide = async (service: ServiceHandle): Promise<Side> => {
  const { id, api_token: token } = await service.newProject();
  return { people: new PersonsOf(service, id), model: new PersonsModel(id), token, sent: [] };
};

export const listPersons = async ({ people }: Side, query: Record<string, unknown> = {}): Promise<PersonPage> => {
  const answer = await people.call('GET', 'persons', { query: query as Record<string, string> });
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.body as PersonPage;
};

export const shapes = ({ model }: Side): PersonDto[] => model.persons.map((person) => model.shape(person));

const pageSize = 7;

/** List, count, walk and look-ups of the project say what the model says, and the other project is as it was. */
export const check = async ({ service, random, side, other }: Stage): Promise<void> => {
  const expected = shapes(side);
  const untouched = shapes(other);
  const path = `/api/projects/${side.people.projectId}/persons`;
  const [walked, foreign] = await Promise.all([
    walk<PersonDto>(service, path, { limit: pageSize }),
    listPersons(other, { limit: 1000 }),
    ...(expected.length > 0 ? [lookUp(side, random, random.pick(expected))] : []),
  ]);
  expect(walked).toEqual(expected);
  const ids = walked.flatMap(({ distinct_ids }) => distinct_ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect([foreign.count, foreign.results]).toEqual([untouched.length, untouched]);
};

/** By one of its names. */
const lookUp = async (side: Side, random: Random, person: PersonDto): Promise<void> => {
  const { id, uuid, distinct_ids: ids } = person;
  const name = random.pick(['id', 'uuid', 'distinct id']);
  if (name === 'distinct id') {
    const { count, results } = await listPersons(side, { distinct_id: random.pick(ids) });
    expect([count, results]).toEqual([1, [person]]);
  } else {
    expect(await side.people.get(name === 'id' ? id : uuid)).toEqual(person);
  }
};
