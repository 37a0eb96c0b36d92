import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { fieldTitle } from '../api/field-words';
import { ProblemError } from '../api/problem-error';

interface ProblemAlertProps {
  readonly error: unknown;
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** The same request has the same answer again. */
const isFinal = (status: number | undefined): boolean => status === 400 || status === 404;

/** An error as the service describes it: which field, what was wrong, what would be right. */
export function ProblemAlert({ error, title, onRetry }: ProblemAlertProps) {
  const problem = error instanceof ProblemError ? error.problem : null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={title ?? (problem ? fieldTitle(problem.detail, problem.attr) : undefined)}
      role="alert"
    >
      <Text size="sm">{error instanceof Error ? error.message : 'Something went wrong.'}</Text>
      {onRetry && !isFinal(problem?.status) && (
        <Button size="xs" variant="light" color="red" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
