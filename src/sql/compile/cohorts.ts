import { nearestName } from '../../platform/errors/nearest-name.js';
import { fault, quoted } from '../fault.js';
import { type Literal } from '../tree.js';
import { type LiveCohort } from '../../kernel/memberships/live-cohorts.js';

/** The cohort that a question names by id or by name. */
export const cohortOf = (cohorts: readonly LiveCohort[], named: Literal): LiveCohort => {
  if (named.kind === 'number') {
    const cohort = cohorts.find(({ id }) => String(id) === named.digits);
    if (cohort) return cohort;
    throw fault(`There is no cohort ${quoted(named.digits)} in this project`, named.at);
  }
  const name = named.kind === 'text' ? named.value : String(named.value);
  const [cohort, other] = cohorts.filter((one) => one.name === name);
  if (cohort && !other) return cohort;
  if (cohort && other)
    throw fault(
      `Several cohorts are called ${quoted(name)}: name one by its id, such as ${cohort.id} or ${other.id}`,
      named.at,
    );
  const nearest = nearestName(
    name,
    cohorts.map((one) => one.name),
  );
  throw fault(
    `There is no cohort ${quoted(name)} in this project${nearest === null ? '' : `: did you mean '${quoted(nearest)}'?`}`,
    named.at,
  );
};
