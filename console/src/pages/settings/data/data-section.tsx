import { useOpenProject } from '../../../address/project-context';
import { Activity } from './activity';
import { Ingestion } from './ingestion';
import { Expiries } from './removals';
import { Warnings } from './warnings';

/** Shows what came in, what was altered on the way, what expired, and who changed something. */
export function DataSection() {
  const { can } = useOpenProject();
  return (
    <>
      {can('event:read') && <Ingestion />}
      {can('event:read') && <Warnings />}
      {can('project:read') && can('event:read') && <Expiries />}
      {can('activity_log:read') && <Activity />}
    </>
  );
}
