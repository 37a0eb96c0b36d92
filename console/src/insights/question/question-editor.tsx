import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments } from '@tabler/icons-react';
import { memo, Suspense } from 'react';
import { type LazyPart } from '../../ui/later';
import { useIsPhone } from '../../ui/use-is-phone';
import { type EditorProps } from '../kind';

/**
 * The controls of the question. On a phone a button shows them, above the answer. Drawn again when the question changes, and not
 * when its answer comes.
 */
export const QuestionEditor = memo(function QuestionEditor({
  Editor,
  ...props
}: EditorProps & { readonly Editor: LazyPart<EditorProps> }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const isPhone = useIsPhone();
  return (
    <>
      {isPhone && (
        <Button
          variant="default"
          leftSection={<IconAdjustments size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {isOpen ? 'Hide the question' : 'Change the question'}
        </Button>
      )}
      {(isOpen || !isPhone) && (
        <Suspense fallback={<Skeleton h={200} aria-label="Loading the question" />}>
          <Editor {...props} />
        </Suspense>
      )}
    </>
  );
});
