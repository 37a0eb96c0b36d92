import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Me } from '../../../api/accounts';
import { consoleQuery } from '../../../api/accounts';
import { useProjectId } from '../../../address/project-context';
import { singleSignOnPath } from '../../../api/single-sign-on';
import { Section } from '../shared/section';

/** Connects the signed-in user with an account of the provider that has the same e-mail. */
export function SingleSignOn({ me }: { me: Me }) {
  const projectId = useProjectId();
  const { data: info } = useQuery(consoleQuery);
  if (!info?.oidc) return null;
  const { name } = info.oidc;
  return (
    <Section
      title="Single sign-on"
      description={
        me.has_single_sign_on
          ? `You sign in with your ${name} account.`
          : `Sign in with the ${name} account that has the e-mail ${me.email}.`
      }
      actions={
        me.has_single_sign_on ? (
          <Badge variant="dot" color="teal" tt="none">
            Connected
          </Badge>
        ) : (
          <Button component="a" href={singleSignOnPath(`/p/${projectId}/settings/account`)} variant="default">
            Connect {name}
          </Button>
        )
      }
    >
      {null}
    </Section>
  );
}
