import { Anchor, Code, List, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { blocksOf, type Block, type Span } from './prose-blocks';
import classes from './prose.module.css';

/** A text in a small part of Markdown. Everything else is shown as it is written: nothing becomes HTML. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div className={classes.prose}>
      {blocksOf(text).map((block, at) => (
        <Fragment key={at}>{drawn(block)}</Fragment>
      ))}
    </div>
  );
}

const sizes = ['h3', 'h4', 'h5'] as const;

const drawn = (block: Block): ReactNode => {
  if (block.kind === 'heading') {
    const order = block.level === 1 ? 2 : block.level === 2 ? 3 : 4;
    return (
      <Title order={order} size={sizes[block.level - 1] ?? 'h5'}>
        <Spans of={block.spans} />
      </Title>
    );
  }
  if (block.kind === 'list')
    return (
      <List type={block.isOrdered ? 'ordered' : 'unordered'} size="sm">
        {block.items.map((spans, at) => (
          <List.Item key={at}>
            <Spans of={spans} />
          </List.Item>
        ))}
      </List>
    );
  return (
    <Text size="sm">
      {block.lines.map((spans, at) => (
        <Fragment key={at}>
          {at > 0 && <br />}
          <Spans of={spans} />
        </Fragment>
      ))}
    </Text>
  );
};

function Spans({ of }: { readonly of: readonly Span[] }) {
  return of.map((span, at) => <Fragment key={at}>{drawnSpan(span)}</Fragment>);
}

const drawnSpan = (span: Span): ReactNode => {
  if (span.kind === 'text') return span.text;
  if (span.kind === 'code') return <Code>{span.text}</Code>;
  const content = <Spans of={span.spans} />;
  if (span.kind === 'strong') return <strong>{content}</strong>;
  if (span.kind === 'em') return <em>{content}</em>;
  return (
    <Anchor href={span.address} target="_blank" rel="noopener noreferrer nofollow" underline="always" inherit>
      {content}
    </Anchor>
  );
};
