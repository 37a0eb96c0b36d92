import { Anchor, Button, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsersPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api, bodyOf, type List } from '../../api/client';
import { type ListPage } from '../../api/endless-list';
import { formOf } from '../../api/form';
import { refresh } from '../../api/query-client';
import { type PersonOfPoint } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { type Actors } from '../actors';
import { formatCount, formatNumber } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';

/** A page has at most 1,000 members; more than a hundred pages are the work of a query, not of a browser. */
const pageSize = 1000;
const maxMembers = 100_000;

/** The integer ids of all persons or accounts of a list. Those without a record have none. */
const allIds = async (
  { address, load }: List<PersonOfPoint>,
  signal: AbortSignal,
  onRead: (count: number) => void,
): Promise<Set<number>> => {
  const ids = new Set<number>();
  let read = 0;
  let next: string | null = `${address}&limit=${pageSize}`;
  while (next !== null && read < maxMembers) {
    const page: ListPage<PersonOfPoint> = await load(next, signal);
    for (const { id } of page.results) if (id > 0) ids.add(id);
    read += page.results.length;
    onRead(read);
    next = page.next;
  }
  return ids;
};

/** Makes a static cohort of all persons or accounts of a list, not only of those that are shown. */
export function SaveAsCohort({
  list,
  count,
  suggestedName,
  actors: { groupType, noun },
}: {
  readonly list: List<PersonOfPoint>;
  readonly count: number;
  readonly suggestedName: string;
  readonly actors: Actors;
}) {
  const projectId = useProjectId();
  const [isOpen, { open, close }] = useDisclosure();
  const [name, setName] = useState(suggestedName.slice(0, 400));
  const [read, setRead] = useState(0);
  const running = useRef<AbortController>(null);
  const save = useMutation({
    mutationFn: async () => {
      const { signal } = (running.current = new AbortController());
      const ids = await allIds(list, signal, setRead);
      const csv = new Blob([`${groupType === null ? 'person_id' : 'group_id'}\n${[...ids].join('\n')}\n`], {
        type: 'text/csv',
      });
      const cohort = await bodyOf(
        api.POST('/api/projects/{project_id}/cohorts', {
          params: { path: { project_id: projectId } },
          body: {
            name: name.trim(),
            is_static: true,
            ...(groupType !== null && { actor: 'group', group_type_index: groupType }),
          },
          bodySerializer: (fields: object) => formOf(fields, csv),
          signal,
        }),
      );
      return { cohort, saved: ids.size };
    },
    onSuccess: () => refresh('/api/projects/{project_id}/cohorts'),
  });
  const end = (): void => {
    running.current?.abort();
    save.reset();
    setRead(0);
    close();
  };
  const expected = Math.min(count, maxMembers);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconUsersPlus size={14} aria-hidden />}
        disabled={count > maxMembers}
        title={
          count > maxMembers ? `A list of at most ${formatNumber(maxMembers)} ${noun[1]} can be saved here` : undefined
        }
        onClick={open}
      >
        Save as cohort
      </Button>
      <Modal opened={isOpen} onClose={end} title="Save as a static cohort" zIndex={300}>
        {save.data ? (
          <Stack>
            <Text size="sm">
              “{save.data.cohort.name}” is made of {formatCount(save.data.saved, ...noun)}.
              {save.data.saved < count &&
                ` ${formatNumber(count - save.data.saved)} of the list have no ${groupType === null ? 'person profile' : 'properties'} and cannot be members.`}
            </Text>
            <Group justify="flex-end">
              <Anchor component={Link} to={`/p/${projectId}/cohorts/${save.data.cohort.id}`} size="sm">
                Open the cohort
              </Anchor>
              <Button onClick={end}>Done</Button>
            </Group>
          </Stack>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              save.mutate();
            }}
          >
            <Stack>
              <Text size="sm" c="dimmed">
                The cohort keeps the {formatCount(count, ...noun)} in the list now; it does not change when the numbers
                do.
              </Text>
              <TextInput
                label="Name"
                required
                maxLength={400}
                data-autofocus
                value={name}
                onChange={({ currentTarget }) => setName(currentTarget.value)}
              />
              {save.isPending && (
                <Progress value={(100 * read) / Math.max(1, expected)} animated aria-label={`Reading the ${noun[1]}`} />
              )}
              {save.error && <ProblemAlert error={save.error} />}
              <Group justify="flex-end">
                <Button variant="default" onClick={end}>
                  Cancel
                </Button>
                <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
                  Save
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
