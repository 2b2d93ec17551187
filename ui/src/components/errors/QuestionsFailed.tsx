import { Container, Stack } from '@mantine/core';
import { Panel } from '../basics/Panel';
import { AskUs } from '../feedback/Notice';
import { RetryLine } from '../feedback/RetryLine';

interface Props {
  retrying: boolean;
  onRetry: () => void;
}

/** Shown in place of a product's questions that could not be loaded; there is no snackbar. */
export function QuestionsFailed(props: Props) {
  return (
    <Container size={1140}>
      <Panel>
        <Stack gap="md">
          <RetryLine
            {...props}
            text="The questions could not be loaded. Nothing you typed is lost."
          />
          <AskUs />
        </Stack>
      </Panel>
    </Container>
  );
}
