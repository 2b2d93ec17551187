import { Container, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSite } from '../../api/hooks';
import { useDocumentTitle } from '../../lib/routes/title';
import { Panel } from '../basics/Panel';
import { Mail, Phone } from '../contact/Contact';

interface Props {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** Shows a page with one message and the buttons for the next step. */
export function MessagePage({ title, children, actions }: Props) {
  useDocumentTitle(title);
  return (
    <Container size={720}>
      <Panel>
        <Stack gap="md">
          <Title order={1}>{title}</Title>
          {children}
          {actions && <Group gap="sm">{actions}</Group>}
        </Stack>
      </Panel>
    </Container>
  );
}

/** Shows the shop's telephone number, opening hours and mail address. */
export function ContactLine() {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Text>
      If you need a hand, call <Phone number={site.phone} /> ({site.hours}) or email{' '}
      <Mail address={site.email} />.
    </Text>
  );
}
