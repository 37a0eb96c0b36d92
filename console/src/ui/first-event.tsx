import { Button, Code, CopyButton, Group, Loader, Paper, Stack, Tabs, Text, Title } from '@mantine/core';

const snippets = (origin: string, token: string): readonly (readonly [string, string])[] => [
  [
    'curl',
    `curl ${origin}/batch -H 'Content-Type: application/json' -d '{
  "api_key": "${token}",
  "event": "signed up",
  "distinct_id": "ada",
  "properties": { "plan": "free" }
}'`,
  ],
  [
    'Browser',
    `<script src="${origin}/static/array.full.js"></script>
<script>
  posthog.init('${token}', { api_host: '${origin}' })
  posthog.capture('signed up', { plan: 'free' })
</script>`,
  ],
  [
    'Node.js',
    `import { PostHog } from 'posthog-node'

const posthog = new PostHog('${token}', { host: '${origin}' })
posthog.capture({ distinctId: 'ada', event: 'signed up', properties: { plan: 'free' } })
await posthog.shutdown()`,
  ],
  [
    'Python',
    `from posthog import Posthog

posthog = Posthog('${token}', host='${origin}')
posthog.capture('signed up', distinct_id='ada', properties={'plan': 'free'})
posthog.shutdown()`,
  ],
];

/** For a project without events; the page becomes the stream when the first one arrives. */
export function FirstEvent({ token }: { readonly token: string }) {
  return (
    <Paper withBorder p="lg" maw={860}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            Send the first event
          </Title>
          <Text c="dimmed" size="sm">
            Every SDK of PostHog and Segment works. The token may be public: it can only send events.
          </Text>
        </div>
        <Tabs defaultValue="curl">
          <Tabs.List>
            {snippets(window.location.origin, token).map(([name]) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets(window.location.origin, token).map(([name, text]) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <Code block tabIndex={0}>
                {text}
              </Code>
              <CopyButton value={text}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="light" mt="xs" onClick={copy}>
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
            </Tabs.Panel>
          ))}
        </Tabs>
        <Group gap="sm" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">Waiting for the first event …</Text>
        </Group>
      </Stack>
    </Paper>
  );
}
