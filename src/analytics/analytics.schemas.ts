import { integerSchema, type Schemas } from '../platform/fields/schema.js';
import { breakdownSchemas } from './shared/breakdown.parameters.js';
import { entitiesWith, entitySchemas } from './shared/entity.schemas.js';
import { questionSchema } from './shared/parameter-docs.js';
import { correlationParameters } from './correlation/correlation.parameters.js';
import { funnelParameters, maxFunnelSteps } from './funnel/funnel.parameters.js';
import { funnelOfPaths, pathsParameters } from './paths/paths.parameters.js';
import { mathNames } from './trends/math.js';

const stepPlace = (description: string, example: number) => ({
  ...integerSchema(0, maxFunnelSteps - 1),
  description,
  example,
});

/** The questions that may be sent as a body. */
export const questions = {
  funnel: 'FunnelQuestion',
  correlation: 'CorrelationQuestion',
  paths: 'PathsQuestion',
} as const;

export const analyticsSchemas: Schemas = {
  ...entitySchemas,
  ...entitiesWith('Trends', {
    math: { type: 'string', enum: [...mathNames], default: 'total', description: 'What is counted of it.' },
    math_property: {
      type: 'string',
      maxLength: 400,
      description: 'The property of which `math` makes a number.',
      example: 'price',
    },
  }),
  ...entitiesWith('Exclusion', {
    funnel_from_step: stepPlace('The place of the step after which it spoils the attempt, from 0.', 0),
    funnel_to_step: stepPlace('The place of the step before which it does; the last one by default.', 1),
  }),
  ...breakdownSchemas,
  CleaningRule: {
    type: 'object',
    properties: {
      regex: { type: 'string', minLength: 1, maxLength: 400, description: 'An RE2 expression.', example: '\\?.*' },
      alias: { type: 'string', maxLength: 400, description: 'What replaces a match.', example: '' },
    },
    required: ['regex'],
    'x-null-is-absent': 'described',
  },
  [questions.funnel]: questionSchema(funnelParameters),
  [questions.correlation]: questionSchema(correlationParameters),
  [questions.paths]: questionSchema(pathsParameters),
  [funnelOfPaths]: questionSchema(funnelParameters),
};
