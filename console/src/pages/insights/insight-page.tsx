import { Box, Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { NotFound } from '../../ui/fallbacks';
import { useQuestion } from '../../address/search';
import { Insight } from './insight';
import { insightKindQuery, insightKinds, type ListedKind } from '../../insights/kinds';
import { sharedFields } from '../../insights/question/params';

/** One tab for each kind of insight. What the kinds have in common stays in the address when another one is opened. */
export function InsightPage() {
  const { kind: name, projectId } = useParams({ from: '/p/$projectId/insights/$kind' });
  const [question] = useQuestion();
  const navigate = useNavigate();
  const listed = insightKinds.find((one) => one.name === name);
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the tabs are wider than the page.
  useEffect(
    // Some browsers return a promise, which React would take for a clean-up.
    () => void tabs.current?.querySelector('[data-active]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }),
    [name],
  );
  if (!listed) return <NotFound />;
  const open = (next: string | null): void => {
    if (next === null) return;
    const search = Object.fromEntries(Object.entries(question).filter(([field]) => sharedFields.includes(field)));
    void navigate({ to: '/p/$projectId/insights/$kind', params: { projectId, kind: next }, search });
  };
  return (
    <Tabs value={listed.name} onChange={open} keepMounted={false} activateTabWithKeyboard={false}>
      <Box mb="md" style={{ overflowX: 'auto', scrollbarWidth: 'none' }}>
        <Tabs.List ref={tabs} style={{ flexWrap: 'nowrap' }} w="max-content" miw="100%" aria-label="Kinds of insights">
          {insightKinds.map((one) => (
            <Tabs.Tab key={one.name} value={one.name}>
              {one.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Box>
      <Tabs.Panel value={listed.name}>
        <OfKind key={listed.name} listed={listed} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The route has loaded the kind before the page is drawn. */
function OfKind({ listed }: { readonly listed: ListedKind }) {
  const { data: kind } = useSuspenseQuery(insightKindQuery(listed));
  return <Insight kind={kind} Editor={listed.Editor} />;
}
