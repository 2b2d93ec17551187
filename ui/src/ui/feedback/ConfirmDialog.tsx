import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { PendingQuestion } from '../../lib/messages/confirm';

/**
 * Shows the confirm dialog. Escape answers No. A click beside the dialog does nothing. The focus
 * starts on the button that answers No.
 */
export default function ConfirmDialog({ question }: { question: PendingQuestion }) {
  return (
    <Modal
      opened
      onClose={() => question.answer(false)}
      title={question.title ?? 'Please confirm'}
      withCloseButton={false}
      closeOnClickOutside={false}
      size="26rem"
    >
      <Stack gap="sm">
        {[question.message].flat().map((text) => (
          <Text key={text}>{text}</Text>
        ))}
      </Stack>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button data-autofocus variant="default" onClick={() => question.answer(false)}>
          {question.cancel ?? 'Cancel'}
        </Button>
        <Button onClick={() => question.answer(true)}>{question.yes ?? 'Yes'}</Button>
      </Group>
    </Modal>
  );
}
