import { Button, Group, Modal, Text } from '@mantine/core';
import type { Assumptions } from '../../../api/types';

interface Props {
  assumptions: Assumptions;
  opened: boolean;
  onClose: () => void;
  /** Called after the dialog has faded out, to restore the focus. */
  onClosed: () => void;
}

export default function AssumptionsDialog({ assumptions, opened, onClose, onClosed }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={assumptions.title}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      withCloseButton={false}
      size="36rem"
      yOffset="2dvh"
    >
      {assumptions.intro && <Text mb="md">{assumptions.intro}</Text>}
      <ul className="bullets">
        {assumptions.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <Group justify="flex-end" mt="lg">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
