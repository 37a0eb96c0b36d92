import { type Schemas } from '../platform/fields/schema.js';
import { breakdownSchemas } from './shared/breakdown.parameters.js';
import { entitiesWith, entitySchemas, stepFields } from './shared/entity-fields.js';
import { questionSchema } from './shared/parameter-docs.js';
import { correlationParameters } from './correlation/correlation.parameters.js';
import { exclusionFields, funnelParameters } from './funnel/funnel.parameters.js';
import { cleaningRule, funnelOfPaths, pathsParameters } from './paths/paths.parameters.js';
import { mathFields } from './trends/trends.parameters.js';

/** The questions that may be sent as a body. */
export const questions = {
  funnel: 'FunnelQuestion',
  correlation: 'CorrelationQuestion',
  paths: 'PathsQuestion',
} as const;

export const analyticsSchemas: Schemas = {
  ...entitySchemas,
  ...entitiesWith('Trends', mathFields),
  ...entitiesWith('Step', stepFields),
  ...entitiesWith('Exclusion', exclusionFields),
  ...breakdownSchemas,
  CleaningRule: cleaningRule.schema,
  [questions.funnel]: questionSchema(funnelParameters),
  [questions.correlation]: questionSchema(correlationParameters),
  [questions.paths]: questionSchema(pathsParameters),
  [funnelOfPaths]: questionSchema(funnelParameters),
};
