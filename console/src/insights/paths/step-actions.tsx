import { Button, Group } from '@mantine/core';
import { type AnswerProps } from '../kind';
import { listField, textsOf } from './lists';
import { isOmission, itemText, stepText, type PathInsight, type PathStep } from './paths';

/** Offers the persons of a step, and paths that start, end or go on without its item. */
export function StepActions({
  pathStep,
  params,
  change,
  openPersons,
}: Pick<AnswerProps<PathInsight>, 'params' | 'change' | 'openPersons'> & { readonly pathStep: PathStep }) {
  const { key, item } = pathStep;
  const name = stepText(pathStep);
  const text = itemText(item);
  return (
    <Group gap={6}>
      <Button
        size="xs"
        variant="light"
        onClick={() => openPersons({ title: `Reached ${name}`, params: { path_end_key: key } })}
        disabled={pathStep.step === 1}
      >
        Arrived here
      </Button>
      <Button
        size="xs"
        variant="light"
        onClick={() => openPersons({ title: `Went on from ${name}`, params: { path_start_key: key } })}
      >
        Went on
      </Button>
      <Button
        size="xs"
        variant="light"
        onClick={() => openPersons({ title: `Ended at ${name}`, params: { path_dropoff_key: key } })}
      >
        Ended here
      </Button>
      {!isOmission(pathStep) && (
        <>
          <Button
            size="xs"
            variant="default"
            title={`Paths that start at ${text}`}
            onClick={() => change({ start_point: item })}
          >
            Start here
          </Button>
          <Button
            size="xs"
            variant="default"
            title={`Paths that end at ${text}`}
            onClick={() => change({ end_point: item })}
          >
            End here
          </Button>
          <Button
            size="xs"
            variant="default"
            title={`Paths without ${text}`}
            onClick={() => change({ exclude_events: listField([...textsOf(params.exclude_events), item]) })}
          >
            Exclude
          </Button>
        </>
      )}
    </Group>
  );
}
