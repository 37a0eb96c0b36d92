import { Anchor, Code, Text } from '@mantine/core';

/** A stored value as text: texts as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text);

/** A stored value. Lists and objects keep their form; an address can be opened, any other text is only text. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined)
    return (
      <Text size="sm" c="dimmed" component="span">
        not set
      </Text>
    );
  if (typeof value === 'object' && value !== null)
    return (
      <Code block tabIndex={0} mah={240} style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {JSON.stringify(value, null, 2)}
      </Code>
    );
  const text = valueText(value);
  if (typeof value === 'string' && isAddress(text))
    return (
      <Anchor href={text} target="_blank" rel="noreferrer noopener" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Anchor>
    );
  return (
    <Text
      size="sm"
      component="span"
      className={typeof value === 'number' ? 'numbers' : undefined}
      c={value === null || text === '' ? 'dimmed' : undefined}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {text === '' ? 'empty text' : text}
    </Text>
  );
}

export const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return { string: 'text', number: 'number', boolean: 'yes/no', object: 'object' }[typeof value as string] ?? '';
};
