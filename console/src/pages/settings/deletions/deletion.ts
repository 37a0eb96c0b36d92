import { type Schemas } from '../../../api/types';
import { formatCount } from '../../../ui/format';

export type DeletionRequest = Schemas['DeletionRequestDto'];

export const subjectOf = ({ kind, person_id: person, criteria }: DeletionRequest): string =>
  ({
    person: `Events of person ${person}`,
    events: 'Events by question',
    properties: 'Properties of events',
    group: `Account ${criteria?.group_id}`,
  })[kind];

export const detailOf = ({
  kind,
  distinct_id_count: ids,
  events_selected: selected,
  criteria,
}: DeletionRequest): string =>
  [
    kind === 'person' ? formatCount(ids, 'distinct id') : `${formatCount(selected ?? 0, 'event')} selected`,
    ...(criteria?.scrub ?? []),
    ...(criteria?.events ?? []),
  ].join(', ');
