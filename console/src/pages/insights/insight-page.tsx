import { ScrollArea, Tabs } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { NotFound } from '../../app/fallbacks';
import { useQuestion } from '../../app/search';
import { Insight } from './insight';
import { insightKinds } from './kinds';
import { sharedFields } from './question/params';

/** One tab for each kind of insight. What the kinds have in common stays in the address when another one is opened. */
export function InsightPage() {
  const { kind: name, projectId } = useParams({ from: '/p/$projectId/insights/$kind' });
  const [question] = useQuestion();
  const navigate = useNavigate();
  const kind = insightKinds.find((one) => one.name === name);
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the tabs are wider than the page.
  useEffect(
    // Some browsers return a promise, which React would take for a clean-up.
    () => void tabs.current?.querySelector('[data-active]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }),
    [name],
  );
  if (!kind) return <NotFound />;
  const open = (next: string | null): void => {
    if (next === null) return;
    const search = Object.fromEntries(Object.entries(question).filter(([field]) => sharedFields.includes(field)));
    void navigate({ to: '/p/$projectId/insights/$kind', params: { projectId, kind: next }, search });
  };
  return (
    <Tabs value={kind.name} onChange={open} keepMounted={false} activateTabWithKeyboard={false}>
      <ScrollArea type="never" mb="md">
        <Tabs.List ref={tabs} style={{ flexWrap: 'nowrap' }} aria-label="Kinds of insights">
          {insightKinds.map((one) => (
            <Tabs.Tab key={one.name} value={one.name}>
              {one.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </ScrollArea>
      <Tabs.Panel value={kind.name}>
        <Insight key={kind.name} kind={kind} />
      </Tabs.Panel>
    </Tabs>
  );
}
