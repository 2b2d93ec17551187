import { Container, Stack } from '@mantine/core';
import { Panel } from '../basics/Panel';
import { ContactLine } from '../feedback/MessagePage';
import { type Read, RetryLine } from '../feedback/RetryLine';

/** Says that a product's questions could not be loaded, and shows a button that tries again. */
export function FormLoadError({ read }: { read: Read }) {
  return (
    <Container size={1140}>
      <Panel>
        <Stack gap="md">
          <RetryLine
            read={read}
            text="The questions could not be loaded. Nothing you typed is lost."
          />
          <ContactLine />
        </Stack>
      </Panel>
    </Container>
  );
}
