import './sample-turn.mjs';

/** A number that has no factor in common with the parts of the samples inside these specs, so that all parts come up. */
const days = 5;

/** Specs that kill processes, stop stores and wait for recovery. */
const isOfResilience = (spec) => spec.startsWith('test/resilience/');

/** A spec or a group that is named on the command line is run as a whole. */
const areNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

/** The specs of a run: a fifth of those of resilience, others each day, and all others. `npm run test:long` runs all. */
export const inTurn = (specs) => {
  if (areNamed || process.env.EVERY_CASE) return specs;
  const resilience = specs.filter(isOfResilience).sort();
  const today = new Set(resilience.filter((_, at) => (at + Number(process.env.SAMPLE_TURN)) % days === 0));
  return specs.filter((spec) => !isOfResilience(spec) || today.has(spec));
};
