import { Kbd, Modal, Table } from '@mantine/core';

const keys: readonly (readonly [readonly string[], string])[] = [
  [['Ctrl K', '⌘ K'], 'Search everything'],
  [['/'], 'Search the list of the page, or everything'],
  [['?'], 'Show keyboard shortcuts'],
  [['Esc'], 'Close a dialog or a menu'],
  [['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'], 'Move through a list'],
  [['Enter'], 'Open the row of a list'],
  [['Space'], 'Select the row of a list'],
  [['←', '→'], 'Resize a column, on its edge'],
  [['Ctrl Enter'], 'Run the question in SQL'],
  [['Shift Alt F'], 'Format the question in SQL'],
];

export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys">
      <Table withRowBorders={false} aria-label="Keys">
        <Table.Tbody>
          {keys.map(([names, what]) => (
            <Table.Tr key={what}>
              <Table.Td>
                {names.map((name, at) => (
                  <span key={name}>
                    {at > 0 && ' '}
                    <Kbd>{name}</Kbd>
                  </span>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
