import { NotExpressible } from '../not-expressible.js';
import { listOf, objectOf, objectsOf, textsOf } from '../json.js';
import { checkedRefusal, demand, type Checker } from '../question.js';
import { withIds } from '../parameters.js';

const known = new Set(['person_id', 'distinct_id', 'event', 'after', 'before', 'properties']);

export const checkEvents: Checker = async (scene, expect, findings) => {
  const { params } = scene.given.request;
  const odd = Object.keys(params).find((name) => !known.has(name));
  if (odd !== undefined) throw new NotExpressible(`the parameter ${odd} is not in the contract`);
  const query = { ...withIds(params, scene.ids), limit: 1000 };
  const send = () => scene.ask('GET', 'events', { query });
  if (await checkedRefusal(expect, findings, send)) return;
  const page = objectOf(demand('GET events', 200, await send()));
  const events = objectsOf(page.results);
  findings.equal('count', events.length, page.count);
  const places = events.map(({ uuid }) => scene.eventUuids.indexOf(String(uuid)));
  if (expect.has('matching_events'))
    findings.sameSet('matching_events', listOf(expect.take('matching_events')), places);
  if (expect.has('matching_events_count'))
    findings.equal('matching_events_count', expect.take('matching_events_count'), page.count);
  if (expect.has('matching_persons')) {
    const names = new Set(events.map(({ distinct_id: id }) => scene.nameOf({ distinct_ids: [id] })));
    findings.sameSet('matching_persons', textsOf(expect.take('matching_persons')), [...names]);
  }
};
