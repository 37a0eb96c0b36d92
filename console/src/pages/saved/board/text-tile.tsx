import { Button, Group, Modal, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Prose } from '../../../ui/prose';
import { titleOf } from '../../../ui/prose-blocks';
import { TileMenu, useFill, type TileControls } from './tile-frame';
import classes from './tile-frame.module.css';

const maxLength = 4000;

interface TextTileProps {
  readonly body: string;
  readonly grip: ReactNode;
  readonly controls: TileControls | null;
}

/** A text between the charts. */
export function TextTile({ body, grip, controls }: TextTileProps) {
  const name = titleOf(body) || 'Text';
  const scrolled = useFill();
  return (
    <section aria-label={name} className={`${classes.frame} ${classes.text}`}>
      <Group wrap="nowrap" gap="xs" align="flex-start" mih={0} h="100%">
        {grip}
        <div ref={scrolled} className={classes.body} style={{ maxHeight: '100%' }}>
          <Prose text={body} />
        </div>
        {controls && <TileMenu name={name} controls={controls} />}
      </Group>
    </section>
  );
}

interface TextDialogProps {
  /** The text as it was; null for a new tile. */
  readonly body: string | null;
  readonly onSave: (body: string) => void;
  readonly onClose: () => void;
}

export function TextDialog({ body, onSave, onClose }: TextDialogProps) {
  const [text, setText] = useState(body ?? '');
  return (
    <Modal opened onClose={onClose} title={body === null ? 'Add a text' : 'Edit the text'} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(text.trim());
        }}
      >
        <Stack>
          <Textarea
            label="Text"
            description="# Heading, - list, **bold**, *italic*, `code`, [link](https://…)"
            autosize
            minRows={5}
            maxRows={14}
            maxLength={maxLength}
            data-autofocus
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {text.trim() !== '' && (
            <div>
              <Text size="sm" fw={600} mb={4}>
                Preview
              </Text>
              <Paper withBorder p="md" mah={240} style={{ overflow: 'auto' }}>
                <Prose text={text} />
              </Paper>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={text.trim() === ''}>
              {body === null ? 'Add' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
