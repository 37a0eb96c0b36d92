import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useActors } from '../../../insights/actors';
import { formatNumber, formatShare } from '../../../ui/format';

/** The limit of the service. */
const mostBytes = 100 * 1024 * 1024;

interface CsvDropProps {
  readonly onFile: (file: File) => void;
  /** The share of the file that was sent; null while none is being sent. */
  readonly progress: number | null;
  readonly onCancel: () => void;
  readonly chosen?: string | undefined;
}

const sizeOf = (bytes: number): string => `${formatNumber(bytes / 1024 / 1024)} MB`;

/** Tells how the file may name members. */
function Columns() {
  const { groupType, noun } = useActors();
  if (groupType !== null)
    return (
      <>
        The key of one {noun[0]} in each line, without a header; or a column named <code>group_key</code> or{' '}
        <code>group_id</code>.
      </>
    );
  return (
    <>
      One distinct id in each line, without a header; or a column named <code>person_id</code>, <code>email</code> or,
      beside other columns, <code>distinct_id</code>.
    </>
  );
}

/** Takes a file that is dropped, or chosen by a button. */
export function CsvDrop({ onFile, progress, onCancel, chosen }: CsvDropProps) {
  const [isOver, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const isSending = progress !== null;
  const take = (file: File | null | undefined): void => {
    if (!file || isSending) return;
    const isTooLarge = file.size > mostBytes;
    setRefused(isTooLarge ? `${file.name} has ${sizeOf(file.size)}; at most ${sizeOf(mostBytes)} are taken.` : null);
    if (!isTooLarge) onFile(file);
  };
  return (
    <Stack
      align="center"
      gap="xs"
      p="xl"
      ta="center"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
      style={{
        border: `2px dashed var(--mantine-color-${isOver ? 'kohort-filled' : 'default-border'})`,
        borderRadius: 'var(--mantine-radius-md)',
        background: isOver ? 'var(--mantine-primary-color-light)' : undefined,
      }}
    >
      <IconFileUpload size={36} stroke={1.3} aria-hidden />
      <Text fw={600}>Drop a CSV file here</Text>
      <Text size="sm" c="dimmed" maw={480}>
        <Columns /> Comma, semicolon or tab separates columns.
      </Text>
      {isSending ? (
        <Stack gap={6} w="100%" maw={420}>
          <Progress value={progress * 100} animated aria-label="Share of the file that was sent" />
          <Group justify="space-between">
            <Text size="sm" role="status" className="numbers">
              {progress < 1 ? `${formatShare(progress)} sent` : 'Sent. Reading the rows …'}
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Stack>
      ) : (
        <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={take}>
          {(props) => (
            <Button {...props} variant="light">
              Choose a file
            </Button>
          )}
        </FileButton>
      )}
      {chosen !== undefined && !isSending && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Chosen: {chosen}
        </Text>
      )}
      {refused !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {refused}
        </Text>
      )}
    </Stack>
  );
}
