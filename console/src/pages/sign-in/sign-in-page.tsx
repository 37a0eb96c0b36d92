import { Button, Code, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { type Schemas } from '../../api/types';
import { consoleQuery } from '../../api/accounts';
import { textOf, useQuestion } from '../../address/search';
import { ProblemAlert } from '../../ui/problem-alert';
import { Entrance } from './entrance';
import { refusalText, singleSignOnPath } from '../../api/single-sign-on';

/** Only addresses of the console itself, so that a link cannot lead elsewhere after signing in. */
const returnPath = (value: unknown): string => {
  const path = textOf(value) ?? '';
  return path.startsWith('/p/') ? path : '/';
};

/** The token of a link that signs in once. It comes after `#`, which browsers send to no server. */
const readLinkToken = (): string | null => /^#signin=([\w-]+)$/.exec(window.location.hash)?.[1] ?? null;

export function SignInPage() {
  const [question] = useQuestion();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [linkToken] = useState(readLinkToken);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const { data: info } = useQuery(consoleQuery);
  const refusal = refusalText(textOf(question.refused));
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['SignInBody']) => bodyOf(api.POST('/api/sessions', { body })),
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ href: returnPath(question.return), replace: true });
    },
  });

  useEffect(() => {
    if (linkToken === null) return;
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    mutate({ link_token: linkToken });
  }, [linkToken, mutate]);

  return (
    <Entrance title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ email, password });
        }}
      >
        <Stack>
          {error ? <ProblemAlert error={error} /> : refusal !== null && <ProblemAlert error={new Error(refusal)} />}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Button type="submit" loading={isPending} fullWidth>
            Sign in
          </Button>
          {info?.oidc && (
            <>
              <Divider label="or" />
              <Button component="a" href={singleSignOnPath(returnPath(question.return))} variant="default" fullWidth>
                Sign in with {info.oidc.name}
              </Button>
            </>
          )}
          <Text size="sm" c="dimmed">
            A link that signs in works once. For another one, ask an administrator, or on the machine of the service run{' '}
            <Code>{'npm run cli -- user sign-in-link --email <your e-mail>'}</Code>
          </Text>
        </Stack>
      </form>
    </Entrance>
  );
}
