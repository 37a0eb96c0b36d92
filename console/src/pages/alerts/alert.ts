import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { type Alert, type Schemas } from '../../api/types';
import { notifyDone } from '../../ui/notify';
import { useChange } from '../../ui/use-change';

/** The props of every part of an alert's page. */
export interface AlertProps {
  readonly projectId: string;
  readonly alert: Alert;
}

const alerts = '/api/projects/{project_id}/alerts';

/** A new check may come at any time. */
const pollEvery = 15_000;

export const alertQuery = (projectId: string, id: number) => ({
  ...answer(`${alerts}/{id}`, { path: { project_id: projectId, id }, query: { checks_limit: 100 } }),
  refetchInterval: pollEvery,
});

/** A change of an alert, whose answer is the alert as it is then. */
export const useAlertChange = (
  projectId: string,
  { message, hasForm = false }: { readonly message?: (alert: Alert) => string; readonly hasForm?: boolean } = {},
) =>
  useChange(
    ({ id, ...body }: Schemas['UpdateAlertBody'] & { readonly id: number }) =>
      api.PATCH(`${alerts}/{id}`, { params: { path: { project_id: projectId, id } }, body }),
    {
      refreshes: [alerts, '/api/projects/{project_id}/activity'],
      hasForm,
      onDone: (alert) => {
        queryClient.setQueryData(alertQuery(projectId, alert.id).queryKey, alert);
        if (message) notifyDone(message(alert));
      },
    },
  );
