import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconAdjustments } from '@tabler/icons-react';
import { memo, Suspense } from 'react';
import { type LazyPart } from '../../ui/later';
import { useIsPhone } from '../../ui/use-is-phone';
import { type EditorProps } from '../kind';

/**
 * The controls of the question, which fold: a wide window remembers it, and a phone has them folded at first. Drawn again when
 * the question changes, and not when its answer comes.
 */
export const QuestionEditor = memo(function QuestionEditor({
  Editor,
  ...props
}: EditorProps & { readonly Editor: LazyPart<EditorProps> }) {
  const isPhone = useIsPhone();
  const [isOpenOnPhone, { toggle }] = useDisclosure(false);
  const [isFolded, setFolded] = useLocalStorage({
    key: 'kohort.question.folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isOpen = isPhone ? isOpenOnPhone : !isFolded;
  return (
    <Stack gap="md" pos="relative">
      <Button
        variant={isOpen && !isPhone ? 'subtle' : 'default'}
        size={isPhone ? 'sm' : 'xs'}
        // In the corner of the question, so that the answer begins higher.
        style={
          isOpen && !isPhone
            ? { position: 'absolute', insetInlineEnd: 8, top: 8, zIndex: 1 }
            : { alignSelf: isPhone ? 'stretch' : 'flex-start' }
        }
        leftSection={<IconAdjustments size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={isPhone ? toggle : () => setFolded(isOpen)}
      >
        {isOpen ? 'Hide the question' : 'Change the question'}
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeleton h={200} role="status" aria-label="Loading the question" />}>
          <Editor {...props} />
        </Suspense>
      )}
    </Stack>
  );
});
